/** Shows the pane of a worker, live: rows of text, which people select and search as any text. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import { api } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { LAYOUTS, ScreenRows } from './screen-rows.tsx';
import type { Layout } from './screen-rows.tsx';
import screenCss from './screen.module.css';
import { useScreen } from './watch-pane.ts';
import css from './worker.module.css';

const LAYOUT_WORDS: Readonly<Record<Layout, readonly [label: string, meaning: string]>> = {
  wrap: ['Wrap', 'Long lines take several rows'],
  exact: ['Exact', 'Each row and column as the agent has it'],
  fit: ['Fit', 'Letters so small that each line fits'],
};

export function Pane({ worker }: { readonly worker: string }) {
  const [round, setRound] = useState(0);
  const [layout, setLayout] = useState<Layout>('wrap');
  const screen = useScreen(worker, { round });
  return (
    <section aria-label={`The pane of ${showHidden(worker)}`}>
      <div className={css.paneBar}>
        <span className={parts.dim}>
          {screen.kind === 'shown' ? `live, ${screen.columns} columns; watching types nothing` : ''}
        </span>
        <div className={parts.row} role="group" aria-label="Long lines">
          {LAYOUTS.map((one) => (
            <Button
              key={one}
              tone="quiet"
              aria-pressed={one === layout}
              title={LAYOUT_WORDS[one][1]}
              onClick={() => setLayout(one)}
            >
              {LAYOUT_WORDS[one][0]}
            </Button>
          ))}
        </div>
      </div>
      {screen.kind === 'connecting' ? <Loading what="the pane" /> : null}
      {screen.kind === 'ended' ? (
        <>
          <p className={css.ended} role="status">
            The pane is not live: <Text of={screen.message} />.{' '}
            <Button onClick={() => setRound(round + 1)}>Watch again</Button>
          </p>
          <LastLines worker={worker} />
        </>
      ) : null}
      {screen.kind === 'shown' ? <ScreenRows rows={screen.rows} layout={layout} /> : null}
    </section>
  );
}

/** Shows the last lines as they are now, where no live line passes. */
function LastLines({ worker }: { readonly worker: string }) {
  const pane = useQuery({
    queryKey: ['pane', worker],
    queryFn: () => api.workers.pane.query({ name: worker, lines: 200 }),
    retry: false,
  });
  if (pane.isPending) return <Loading what="the last lines" />;
  if (pane.isError) return <Failed error={pane.error} onRetry={() => void pane.refetch()} />;
  return (
    <pre className={`${screenCss.screen} ${screenCss.wrap}`} tabIndex={0}>
      <Text of={pane.data.text} />
    </pre>
  );
}
