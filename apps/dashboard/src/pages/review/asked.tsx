/** Shows what a reviewer asked for in the round before, each comment beside what became of its file. */
import type { DiffLine } from '@drover/protocol/diff-lines';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { placeText } from './comments.ts';
import type { LineComment } from './comments.ts';
import type { DiffFile } from './diff-files.ts';
import css from './review.module.css';
import type { Since } from './seen.ts';

interface Props {
  readonly comments: readonly LineComment[];
  readonly files: readonly DiffFile[];
  readonly sinceOf: (path: string) => Since;
}

/** Lines of the present diff that are shown beside a comment, on each side of its place. */
const NEAR_LINES = 4;

export function Asked({ comments, files, sinceOf }: Props) {
  return (
    <section className={css.asked} aria-label="What you asked for">
      <h2>What you asked for</h2>
      <ul>
        {comments.map((comment, at) => {
          const file = files.findIndex(({ path }) => path === comment.path);
          const found = files[file];
          return (
            <li key={at}>
              <p>
                <b>
                  <Text of={comment.text} />
                </b>{' '}
                <span className={parts.dim}>
                  <Text of={placeText(comment)} />
                </span>
              </p>
              {found === undefined ? (
                <p className={parts.dim}>The file is not in the diff any more.</p>
              ) : (
                <p className={sinceOf(comment.path) === 'same' ? parts.caution : parts.dim}>
                  {sinceOf(comment.path) === 'same' ? 'This file has not changed since. ' : 'There it says now: '}
                  <a href={`#file-${file}`}>To the file</a>
                </p>
              )}
              {found === undefined ? null : <Near lines={nearOf(found.lines, comment)} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function nearOf(lines: readonly DiffLine[], { line, from = line }: LineComment): readonly DiffLine[] {
  return lines.filter(({ after, before }) => {
    const at = after ?? before ?? 0;
    return at >= from - NEAR_LINES && at <= line + NEAR_LINES;
  });
}

const SIGNS = { added: '+', removed: '−', kept: ' ' } as const;

function Near({ lines }: { readonly lines: readonly DiffLine[] }) {
  if (lines.length === 0) return null;
  return (
    <pre className={parts.block} tabIndex={0}>
      {lines.map(({ kind, text }, at) => (
        <span key={at} className={css[kind]}>
          {SIGNS[kind]}
          <Text of={text} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
