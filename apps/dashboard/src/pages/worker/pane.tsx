/** Shows the pane of a worker, live: rows of text, which people select and search as any text. */
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { api } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Failed, Loading } from '../../parts/notices.tsx';
import { Text } from '../../parts/text.tsx';
import type { Colour, Style, Run } from './colours.ts';
import { withoutGaps } from './screen.ts';
import { useEnd } from './use-end.ts';
import { useScreen } from './watch-pane.ts';
import css from './worker.module.css';

export function Pane({ worker }: { readonly worker: string }) {
  const [round, setRound] = useState(0);
  const [exact, setExact] = useState(false);
  const screen = useScreen(worker, round);
  const place = useEnd<HTMLPreElement>(screen);
  return (
    <section aria-label={`The pane of ${worker}`}>
      <div className={css.paneBar}>
        <span className={css.dim}>
          {screen.kind === 'shown' ? `live, ${screen.columns} columns; watching types nothing` : ''}
        </span>
        <Button tone="quiet" aria-pressed={exact} onClick={() => setExact(!exact)}>
          {exact ? 'Wrap long lines' : 'Exact rows and columns'}
        </Button>
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
      {screen.kind === 'shown' ? (
        <pre ref={place} className={exact ? css.exact : css.wrap} tabIndex={0}>
          {(exact ? screen.rows : withoutGaps(screen.rows)).map((runs, at) => (
            // Rows have no name but their place.
            <Row key={at} runs={runs} exact={exact} />
          ))}
        </pre>
      ) : null}
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
    <pre className={css.wrap} tabIndex={0}>
      <Text of={pane.data.text} />
    </pre>
  );
}

/** Characters of a drawn rule that is wide enough; panes have hundreds of columns, and a wrapped rule is a thicket. */
const RULE_CHARS_MAX = 60;
const RULE = /([─━═▔▁╌_-])\1{59,}/gu;

const Row = memo(function Row({ runs, exact }: { readonly runs: readonly Run[]; readonly exact: boolean }) {
  return (
    <div className={css.paneRow}>
      {runs.map(({ text, style }, at) => (
        <span key={at} className={classesOf(style)} style={coloursOf(style)}>
          <Text of={exact ? text : text.replaceAll(RULE, (rule) => rule.slice(0, RULE_CHARS_MAX))} />
        </span>
      ))}
      {'\n'}
    </div>
  );
});

function classesOf({ bold, dim, italic, underline, front, back, inverse }: Style): string {
  const [text, ground] = inverse ? [back, front] : [front, back];
  const names = [
    bold ? css.bold : undefined,
    dim ? css.faint : undefined,
    italic ? css.italic : undefined,
    underline ? css.underline : undefined,
    inverse ? css.inverse : undefined,
    text?.kind === 'named' ? css[`f${text.index}`] : undefined,
    ground?.kind === 'named' ? css[`b${ground.index}`] : undefined,
  ];
  return names.filter((name) => name !== undefined).join(' ');
}

/** A script may set a colour under the page's policy; no text of a pane is part of it (`colours.ts`). */
function coloursOf({ front, back, inverse }: Style): React.CSSProperties {
  const [color, background] = inverse ? [ownOf(back), ownOf(front)] : [ownOf(front), ownOf(back)];
  return { ...(color !== undefined && { color }), ...(background !== undefined && { background }) };
}

function ownOf(colour: Colour | null): string | undefined {
  return colour?.kind === 'own' ? colour.css : undefined;
}
