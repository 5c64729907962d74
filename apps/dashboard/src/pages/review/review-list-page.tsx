/** Lists the work that waits for review, the oldest first. */
import { Link } from '@tanstack/react-router';
import { useFleet } from '../../client/hooks.ts';
import { cardsOf } from '../../fleet/inbox.ts';
import { titleOf } from '../../fleet/text.ts';
import { Age } from '../../parts/age.tsx';
import { Empty, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './review.module.css';

export function ReviewListPage() {
  const fleet = useFleet();
  if (fleet.at === null) return <Loading what="the work to review" />;
  const waiting = cardsOf(fleet).flatMap((card) => (card.kind === 'review' ? [card.worker] : []));
  if (waiting.length === 0)
    return (
      <Empty isPage title="No work waits for review">
        <p>Committed work appears here, the oldest first.</p>
        <Link to="/">To the inbox</Link>
      </Empty>
    );
  return (
    <>
      <h1 className={css.title}>{waiting.length} to review</h1>
      <ol className={css.list}>
        {waiting.map(({ id, project, name, prompt, since, machine }) => (
          <li key={id}>
            <Link data-item="" to="/review/$project/$name" params={{ project, name }}>
              <b>
                <Text of={name} />
              </b>
              <span>
                <Text of={titleOf(prompt)} />
              </span>
              <span className={parts.dim}>
                <Text of={machine} /> · <Age since={since} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}
