/** Shows what a reviewer should know beside the diff: the checks, hidden characters, modes, links, and the age of the work. */
import type { ReviewView } from '@drover/api';
import { bytesText } from '../../fleet/text.ts';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './review.module.css';

type Note = NonNullable<ReviewView['notes'][number]>;

export function Notes({ review }: { readonly review: ReviewView }) {
  const { notes, standing, work, dropped } = review;
  const warnings = notes.map((note) => (note === null ? UNREADABLE : noteText(note)));
  return (
    <section className={css.notes} aria-label="Beside the diff">
      <Checks work={work} head={review.head} />
      {dropped === null ? null : (
        <p className={`${parts.alert} ${css.warning}`}>
          The default branch no longer holds {dropped.slice(0, 7)}, on which this work stands: rebase it before it can
          be merged.
        </p>
      )}
      {standing.behind > 0 ? (
        <p className={parts.dim}>
          The default branch has {standing.behind} newer {standing.behind === 1 ? 'commit' : 'commits'}; the diff is
          what a merge into the newest changes.
        </p>
      ) : null}
      {warnings.length === 0 ? null : (
        <ul className={parts.caution} aria-label="Warnings">
          {warnings.map((text) => (
            <li key={text}>
              <Text of={text} />
            </li>
          ))}
        </ul>
      )}
      {work === null
        ? null
        : work.notes.map((text) => (
            <p key={text} className={parts.dim}>
              <Text of={text} />
            </p>
          ))}
    </section>
  );
}

function Checks({ work }: { readonly work: ReviewView['work']; readonly head: string }) {
  const checks = work?.checks ?? null;
  if (checks === null) return <p className={parts.dim}>The checks have not run on it yet.</p>;
  const { result, command, output } = checks;
  if (result === 'none') return <p className={parts.dim}>This project has no checks.</p>;
  if (result === 'passed') return <p className={css.passed}>✓ The checks passed.</p>;
  return (
    <div className={`${parts.alert} ${css.warning}`}>
      <p>
        ■ A check failed: <Text of={command ?? ''} />
      </p>
      {output === null ? null : (
        <pre className={parts.block} tabIndex={0}>
          <Text of={output} />
        </pre>
      )}
    </div>
  );
}

const UNREADABLE = 'A newer machine notes something that this coordinator cannot read: upgrade it';

function noteText(note: Note): string {
  switch (note.kind) {
    case 'hidden-characters': {
      const turning = note.bidirectional > 0 ? `, ${note.bidirectional} of which turn the direction of text` : '';
      return `${note.path}: ${note.characters} characters that do not show${turning}; the diff marks each`;
    }
    case 'mode':
      return `${note.path}: ${note.before === null ? 'a new file of mode' : `mode ${note.before} becomes`} ${note.after}`;
    case 'symbolic-link':
      return `${note.path}: a link to ${note.target}, which leads ${{ inside: 'inside of the repository', outside: 'outside of the repository', nowhere: 'nowhere' }[note.leads]}`;
    case 'submodule':
      return `${note.path}: another commit of another repository`;
    case 'lfs-pointer':
      return `${note.path}: a pointer to a file of ${bytesText(note.bytes)}, which the diff does not show`;
    case 'binary':
      return `${note.path}: binary, ${bytesText(note.before)} before, ${bytesText(note.after)} after`;
    case 'more':
      return `${note.count} more of the kind ${note.of}`;
    case 'searched-first':
      return `Only the first ${bytesText(note.bytes)} were searched for hidden characters`;
    default:
      return note satisfies never;
  }
}
