/** Tells what happened to a run, and why: loaded once it is opened. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { Age } from '../../parts/age.tsx';
import { Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './runs.module.css';

/** Newest events that are shown; the command shows all. */
const EVENTS_MAX = 100;

/** `seq`: number of the run's last event, so that a new one is loaded. */
export function History({ id, seq }: { readonly id: string; readonly seq: number }) {
  const [isOpen, setOpen] = useState(false);
  const events = useQuery({
    queryKey: ['run events', id, seq],
    queryFn: () => api.runs.events.query({ id, after: Math.max(0, seq - EVENTS_MAX), limit: EVENTS_MAX }),
    enabled: isOpen,
    placeholderData: (before) => before,
  });
  return (
    <details className={css.history} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What happened, and why</summary>
      {events.isError ? <Failed error={events.error} onRetry={() => void events.refetch()} /> : null}
      {isOpen && events.isPending ? <Loading what="what happened" /> : null}
      <ol>
        {(events.data ?? []).toReversed().map(({ seq: number, at, kind, by, lines }) => (
          <li key={number}>
            <span className={parts.dim}>
              <Age since={at} /> ago · <Text of={`${kind}${by === null || by === 'policy' ? '' : ` by ${by}`}`} />
            </span>
            {lines.map((line) => (
              <p key={line}>
                <Text of={line} />
              </p>
            ))}
          </li>
        ))}
      </ol>
    </details>
  );
}
