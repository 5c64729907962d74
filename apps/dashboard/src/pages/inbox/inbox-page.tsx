/** Shows everything that waits for a person, the longest first, and below it every worker. */
import { useFleet } from '../../client/hooks.ts';
import { cardsOf, countsOf, withSent } from '../../fleet/inbox.ts';
import type { Card } from '../../fleet/inbox.ts';
import { CommandLine, Empty, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { FleetTable } from './fleet-table.tsx';
import { MachineCard, WorkerCard } from './other-cards.tsx';
import { NewWork } from './new-work.tsx';
import { QuestionCard } from './question-card.tsx';
import { useSent } from './use-sent.ts';
import type { Sent } from './use-sent.ts';
import css from './inbox.module.css';

export function InboxPage() {
  const fleet = useFleet();
  const [sent, put] = useSent();
  if (fleet.at === null) return <Loading what="the fleet" />;
  const cards = withSent(cardsOf(fleet), [...sent.values()]);
  return (
    <>
      <div className={parts.bar}>
        <h1>
          {cards.length === 0
            ? 'Nothing waits for you'
            : `${cards.length} ${cards.length === 1 ? 'needs' : 'need'} you`}
        </h1>
        <NewWork />
      </div>
      <ul className={css.cards} aria-label="What waits for you">
        {cards.map((card) => (
          <li key={card.id}>
            <CardOf card={card} sent={sent.get(card.id) ?? null} onSent={(one) => put(card.id, one)} />
          </li>
        ))}
      </ul>
      {fleet.workers.size === 0 ? <NoWorkers /> : <FleetTable workers={fleet.workers} counts={<CountLine />} />}
    </>
  );
}

function CardOf({
  card,
  sent,
  onSent,
}: {
  readonly card: Card;
  readonly sent: Sent | null;
  readonly onSent: (sent: Sent | null) => void;
}) {
  if (card.kind === 'question') return <QuestionCard {...card} sent={sent} onSent={onSent} />;
  return card.kind === 'machine' ? <MachineCard card={card} /> : <WorkerCard card={card} />;
}

function CountLine() {
  const { working, toReview, idle, offline } = countsOf(useFleet().workers.values());
  const counts = [
    `${working} working`,
    ...(toReview > 0 ? [`${toReview} to review`] : []),
    ...(idle > 0 ? [`${idle} idle`] : []),
    ...(offline > 0 ? [`${offline} offline`] : []),
  ];
  return <p className={css.counts}>{counts.join(' · ')}</p>;
}

function NoWorkers() {
  return (
    <Empty title="This fleet has no workers yet">
      <p>A worker is a coding agent with a clone of its own. Add one above, or type:</p>
      <CommandLine text="drover add adam" />
    </Empty>
  );
}
