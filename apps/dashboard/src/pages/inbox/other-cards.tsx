/** Shows what waits for a person without a question: work to review, an agent without words, a failure, a silent machine. */
import { Link } from '@tanstack/react-router';
import type { Card } from '../../fleet/inbox.ts';
import { reasonOf } from '../../fleet/text.ts';
import { CommandLine } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { CardFrame } from './card-frame.tsx';
import css from './inbox.module.css';

type CardOf<K extends Card['kind']> = Extract<Card, { readonly kind: K }>;

const SAYS = {
  review: { tone: 'violet', what: 'its work waits for review' },
  words: { tone: 'amber', what: 'waits for words' },
  failure: { tone: 'red', what: 'Drover has given up on it' },
} as const;

export function WorkerCard({
  card: { kind, worker, since },
}: {
  readonly card: CardOf<'review' | 'words' | 'failure'>;
}) {
  const { tone, what } = SAYS[kind];
  const { project, name, machine } = worker;
  const title = (
    <>
      <Link to="/workers/$project/$name" params={{ project, name }}>
        <Text of={name} />
      </Link>
      : {what}
    </>
  );
  return (
    <CardFrame tone={tone} title={title} where={machine} since={since}>
      <p className={css.body}>
        <Text of={reasonOf(worker)} />
      </p>
      <div className={css.options}>
        {kind === 'review' ? (
          <Link className={parts.button ?? ''} data-option="" to="/review/$project/$name" params={{ project, name }}>
            Review
          </Link>
        ) : (
          <>
            <Link className={parts.button ?? ''} data-option="" to="/workers/$project/$name" params={{ project, name }}>
              Open
            </Link>
            <CommandLine text={`drover attach ${name}`} />
          </>
        )}
      </div>
    </CardFrame>
  );
}

export function MachineCard({ card: { machine, workers, since } }: { readonly card: CardOf<'machine'> }) {
  const title = (
    <>
      <Link to="/machines">
        <Text of={machine} />
      </Link>
      : the machine is silent
    </>
  );
  return (
    <CardFrame tone="red" title={title} where={`${workers.length} workers`} since={since}>
      <p className={css.body}>
        Drover does not replace its workers, because their agents may still run. They go on when the machine is back:{' '}
        <Text of={workers.map(({ name }) => name).join(', ')} />
      </p>
    </CardFrame>
  );
}
