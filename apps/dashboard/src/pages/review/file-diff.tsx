/** Shows the changed lines of one file, with comments of the reviewer. */
import { memo, useState } from 'react';
import type { DiffLine } from '@drover/protocol/diff-lines';
import { Button } from '../../parts/button.tsx';
import { Text } from '../../parts/text.tsx';
import { keyOf } from './comments.ts';
import type { LineComment, Place } from './comments.ts';
import type { DiffFile } from './diff-files.ts';
import css from './review.module.css';

interface Props {
  readonly id: string;
  readonly file: DiffFile;
  /** Reason why it is closed at first; null: it is open. */
  readonly closed: string | null;
  readonly comments: readonly LineComment[];
  readonly onComment: (comment: LineComment) => void;
}

export function FileDiff({ id, file, closed, comments, onComment }: Props) {
  const [isOpen, setOpen] = useState(closed === null);
  const [writingAt, setWritingAt] = useState<string | null>(null);
  const { path, heads, lines, added, removed } = file;
  const own = new Map(comments.map((one) => [keyOf(one), one]));
  return (
    <section className={css.file} id={id} aria-label={path}>
      <header className={css.fileHead}>
        <button
          type="button"
          data-item=""
          className={css.fold}
          aria-expanded={isOpen}
          disabled={lines.length === 0}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          <code>
            <Text of={path} />
          </code>
        </button>
        <span className={css.plus}>+{added}</span>
        <span className={css.minus}>−{removed}</span>
        <span className={css.dim}>
          <Text of={[...heads, ...(isOpen || closed === null ? [] : [`closed: ${closed}`])].join(' · ')} />
        </span>
      </header>
      {isOpen && lines.length > 0 ? (
        <div className={css.scroll} tabIndex={0} role="region" aria-label={`Lines of ${path}`}>
          <table className={css.lines} onKeyDown={moveBetweenLines}>
            <tbody>
              {lines.map((line, at) => {
                const place = placeOf(line);
                const key = keyOf(place);
                const comment = own.get(key);
                return (
                  <Line
                    key={key}
                    line={line}
                    isFirst={at === 0}
                    isAfterGap={isGap(lines[at - 1], line)}
                    comment={comment}
                    isWriting={writingAt === key}
                    onWrite={setWritingAt}
                    onComment={onComment}
                  />
                );
              })}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

interface LineProps {
  readonly line: DiffLine;
  readonly isFirst: boolean;
  /** True if lines that did not change lie between it and the line above. */
  readonly isAfterGap: boolean;
  readonly comment: LineComment | undefined;
  readonly isWriting: boolean;
  readonly onWrite: (key: string | null) => void;
  readonly onComment: (comment: LineComment) => void;
}

const SIGNS = { added: '+', removed: '−', kept: ' ' } as const;

const Line = memo(
  function Line({ line, isFirst, isAfterGap, comment, isWriting, onWrite, onComment }: LineProps) {
    const { kind, before, after, text } = line;
    const place = placeOf(line);
    return (
      <>
        <tr className={`${css[kind]} ${isAfterGap ? css.gap : ''}`}>
          <td className={css.number}>
            <button
              type="button"
              data-line=""
              tabIndex={isFirst ? 0 : -1}
              aria-label={`Comment on line ${place.line} ${place.side === 'before' ? 'before the change' : ''}`}
              onClick={() => onWrite(keyOf(place))}
            >
              {before ?? ''}
            </button>
          </td>
          <td className={css.number} aria-hidden="true" onClick={() => onWrite(keyOf(place))}>
            {after ?? ''}
          </td>
          <td className={css.sign}>{SIGNS[kind]}</td>
          <td className={css.code}>
            <Text of={text} />
          </td>
        </tr>
        {comment !== undefined || isWriting ? (
          <tr>
            <td colSpan={4} className={css.commentCell}>
              {isWriting ? (
                <CommentForm place={place} comment={comment} onWrite={onWrite} onComment={onComment} />
              ) : (
                <p className={css.comment}>
                  <Text of={comment?.text ?? ''} />{' '}
                  <Button tone="quiet" onClick={() => onWrite(keyOf(place))}>
                    Change
                  </Button>
                </p>
              )}
            </td>
          </tr>
        ) : null}
      </>
    );
  },
  // The functions are new each time and do the same.
  (one, other) =>
    one.line === other.line &&
    one.comment === other.comment &&
    one.isWriting === other.isWriting &&
    one.onComment === other.onComment,
);

interface FormProps extends Pick<LineProps, 'comment' | 'onWrite' | 'onComment'> {
  readonly place: Place;
}

function CommentForm({ place, comment, onWrite, onComment }: FormProps) {
  const [text, setText] = useState(comment?.text ?? '');
  return (
    <form
      className={css.comment}
      onSubmit={(event) => {
        event.preventDefault();
        onComment({ ...place, text });
        onWrite(null);
      }}
    >
      <label>
        <span className="only-spoken">
          Comment on line {place.line} of {place.path}
        </span>
        <textarea autoFocus value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <Button type="submit" tone="primary">
        Keep
      </Button>{' '}
      <Button
        onClick={() => {
          onComment({ ...place, text: '' });
          onWrite(null);
        }}
      >
        Drop
      </Button>
    </form>
  );
}

function placeOf({ path, before, after }: DiffLine): Place {
  return after === null ? { path, line: before ?? 1, side: 'before' } : { path, line: after, side: 'after' };
}

function isGap(above: DiffLine | undefined, line: DiffLine): boolean {
  if (above === undefined) return false;
  return !isNext(above.before, line.before) || !isNext(above.after, line.after);
}

/** Tells whether a number follows another; a side without a number breaks no row. */
function isNext(one: number | null, other: number | null): boolean {
  return one === null || other === null || other === one + 1;
}

/** Moves between the lines by arrows: one stop for the tabulator in each file, not thousands. */
function moveBetweenLines(event: React.KeyboardEvent<HTMLTableElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || !(event.target instanceof HTMLElement) || event.target.dataset['line'] === undefined) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  event.preventDefault();
  lines[lines.indexOf(event.target) + by]?.focus();
}
