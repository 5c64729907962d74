/** Lists what was seen and decided, the newest first. */
import type { WhyView } from '@drover/api';
import { Age } from '../../parts/age.tsx';
import { Empty } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './worker.module.css';

type Event = WhyView['history'][number];

export function Timeline({ history }: { readonly history: readonly Event[] }) {
  if (history.length === 0) return <Empty title="Nothing has happened yet" />;
  return (
    <ol className={css.timeline}>
      {history.map((event) => (
        <li key={event.id}>
          <span className={css.when}>
            <Age since={event.at} /> ago
          </span>
          <div>
            {event.said.length === 0 ? (
              <p>
                <Text of={event.kind.replaceAll('-', ' ')} />
              </p>
            ) : (
              event.said.map((sentence) => (
                <p key={sentence}>
                  <Text of={sentence} />
                </p>
              ))
            )}
            <p className={parts.dim}>
              <Text of={[event.kind, ...event.rules].join(' · ')} />
              {event.by === null ? '' : ' · by '}
              {event.by === null ? null : <Text of={event.by} />}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
