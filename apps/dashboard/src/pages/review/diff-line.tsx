/** Draws one line of a diff, with the comment on it. */
import { memo, useState } from 'react';
import type { DiffLine } from '@drover/protocol/diff-lines';
import { Button } from '../../parts/button.tsx';
import { Text } from '../../parts/text.tsx';
import { keyOf, placeText } from './comments.ts';
import type { LineComment, Place } from './comments.ts';
import css from './review.module.css';
import { segmentsOf } from './segments.ts';
import type { Span, Token } from './segments.ts';

/** Lines on which a person is about to comment. `from`: the first of several. */
export interface Writing {
  readonly key: string;
  readonly from?: number;
}

export interface LineProps {
  readonly line: DiffLine;
  readonly isFirst: boolean;
  /** True if lines that did not change lie between it and the line above. */
  readonly isAfterGap: boolean;
  /** True for the first line of a change. */
  readonly isChange: boolean;
  /** True for the line that a search has found. */
  readonly isHit: boolean;
  readonly tokens: readonly Token[] | undefined;
  readonly marked: Span | undefined;
  readonly comment: LineComment | undefined;
  /** Null: nobody writes on this line. */
  readonly writing: Writing | null;
  /** `isRange`: the comment is also on the lines from the one that was chosen before. */
  readonly onWrite: (place: Place, isRange: boolean) => void;
  readonly onClose: () => void;
  readonly onComment: (comment: LineComment) => void;
}

const SIGNS = { added: '+', removed: '−', kept: ' ' } as const;
const NO_TOKENS: readonly Token[] = [];

export const Line = memo(
  function Line(props: LineProps) {
    const { line, isFirst, isAfterGap, isChange, isHit, tokens = NO_TOKENS, marked = null, comment, writing } = props;
    const { kind, before, after, text } = line;
    const place = placeOf(line);
    return (
      <>
        <tr className={`${css[kind]} ${isAfterGap ? css.gap : ''} ${isHit ? css.hit : ''}`}>
          <td className={css.number}>
            <button
              type="button"
              data-line=""
              data-change={isChange ? '' : undefined}
              tabIndex={isFirst ? 0 : -1}
              aria-label={`Comment on line ${place.line} ${place.side === 'before' ? 'before the change' : ''}`}
              onClick={({ shiftKey }) => props.onWrite(place, shiftKey)}
            >
              {before ?? ''}
            </button>
          </td>
          <td className={css.number} aria-hidden="true" onClick={({ shiftKey }) => props.onWrite(place, shiftKey)}>
            {after ?? ''}
          </td>
          <td className={css.sign}>{SIGNS[kind]}</td>
          <td className={css.code}>
            {tokens.length === 0 && marked === null ? (
              <Text of={text} />
            ) : (
              segmentsOf(text, tokens, marked).map((segment, at) => (
                <span key={at} className={classesOf(segment)}>
                  <Text of={segment.text} />
                </span>
              ))
            )}
          </td>
        </tr>
        {comment !== undefined || writing !== null ? (
          <tr>
            <td colSpan={4} className={css.commentCell}>
              {writing !== null ? (
                <CommentForm {...props} writing={writing} />
              ) : (
                <p className={css.comment}>
                  {comment?.from === undefined ? null : <b>{`Lines ${comment.from}–${comment.line}: `}</b>}
                  <Text of={comment?.text ?? ''} />{' '}
                  <Button tone="quiet" onClick={() => props.onWrite(place, false)}>
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
    one.writing === other.writing &&
    one.tokens === other.tokens &&
    one.isHit === other.isHit &&
    one.onComment === other.onComment,
);

function classesOf({ name, isMarked }: { readonly name: string | null; readonly isMarked: boolean }): string {
  return `${name === null ? '' : (css[`t-${name}`] ?? '')} ${isMarked ? css.word : ''}`;
}

function CommentForm({ line, comment, writing, onClose, onComment }: LineProps & { readonly writing: Writing }) {
  const place = { ...placeOf(line), ...(writing.from !== undefined && { from: writing.from }) };
  const [text, setText] = useState(comment?.text ?? '');
  return (
    <form
      className={css.comment}
      onSubmit={(event) => {
        event.preventDefault();
        onComment({ ...place, text });
        onClose();
      }}
    >
      <label>
        <span className={writing.from === undefined ? 'only-spoken' : undefined}>Comment on {placeText(place)}</span>
        <textarea autoFocus value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <Button type="submit" tone="primary">
        Keep
      </Button>{' '}
      <Button
        onClick={() => {
          onComment({ ...place, text: '' });
          onClose();
        }}
      >
        Drop
      </Button>
    </form>
  );
}

export function placeOf({ path, before, after }: DiffLine): Place {
  return after === null ? { path, line: before ?? 1, side: 'before' } : { path, line: after, side: 'after' };
}

/** Tells the line of a comment that is being written, or that somebody chose last. */
export function isAt(line: DiffLine, writing: Writing | null): boolean {
  return writing !== null && keyOf(placeOf(line)) === writing.key;
}
