/** Shows the changed lines of one file, in the colours of its language, with comments of the reviewer. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import type { DiffLine } from '@drover/protocol/diff-lines';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { keyOf } from './comments.ts';
import type { LineComment, Place } from './comments.ts';
import type { DiffFile } from './diff-files.ts';
import { isAt, placeOf } from './diff-line.tsx';
import type { Writing } from './diff-line.tsx';
import { Rows } from './diff-rows.tsx';
import css from './review.module.css';
import type { Since } from './seen.ts';
import { changedWords } from './segments.ts';
import type { Token } from './segments.ts';

interface Props {
  readonly id: string;
  readonly file: DiffFile;
  /** Reason why it is closed at first; null: it is open. */
  readonly closed: string | null;
  /** Difference from what the person saw before; null: nothing was seen. */
  readonly since: Since | null;
  readonly isViewed: boolean;
  readonly onViewed: (is: boolean) => void;
  /** Line that a search has found; null: none in this file. */
  readonly hit: number | null;
  readonly comments: readonly LineComment[];
  readonly onComment: (comment: LineComment) => void;
}

const SINCE: Readonly<Record<Since, string>> = {
  same: 'as you saw it',
  changed: 'changed since you looked',
  new: 'new since you looked',
};

export function FileDiff({ id, file, closed, since, isViewed, onViewed, hit, comments, onComment }: Props) {
  const reason = closed ?? (isViewed ? 'viewed' : since === 'same' ? SINCE.same : null);
  const [isOpen, setOpen] = useState(reason === null);
  const [writing, setWriting] = useState<Writing | null>(null);
  const { path, heads, lines, added, removed } = file;
  useEffect(() => {
    if (hit !== null) setOpen(true);
  }, [hit]);
  return (
    <section className={css.file} id={id} aria-label={showHidden(path)} data-file="">
      <header className={css.fileHead}>
        <button
          type="button"
          data-item=""
          data-file-head=""
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
        <span className={parts.dim}>
          <Text of={[...heads, ...(isOpen || reason === null ? [] : [`closed: ${reason}`])].join(' · ')} />
        </span>
        {since === 'changed' || since === 'new' ? <span className={css.since}>{SINCE[since]}</span> : null}
        <label className={`${parts.check} ${css.viewed}`}>
          <input
            type="checkbox"
            data-key="v"
            checked={isViewed}
            onChange={({ target }) => {
              onViewed(target.checked);
              setOpen(!target.checked);
            }}
          />
          Viewed
        </label>
      </header>
      {isOpen && lines.length > 0 ? (
        <Lines
          file={file}
          hit={hit}
          comments={comments}
          writing={writing}
          onWriting={setWriting}
          onComment={onComment}
        />
      ) : null}
    </section>
  );
}

interface LinesProps extends Pick<Props, 'file' | 'hit' | 'comments' | 'onComment'> {
  readonly writing: Writing | null;
  readonly onWriting: (writing: Writing | null) => void;
}

function Lines({ file: { path, lines }, hit, comments, writing, onWriting, onComment }: LinesProps) {
  const own = new Map(comments.map((one) => [keyOf(one), one]));
  const words = useMemo(() => changedWords(lines), [lines]);
  const tokens = useTokens(path, lines);
  // Lines that are drawn already read it later.
  const chosen = useRef<Place | null>(null);
  const write = (place: Place, isRange: boolean): void => {
    const before = chosen.current;
    const first = isRange && before?.side === place.side ? before.line : place.line;
    const [from, line] = first < place.line ? [first, place.line] : [place.line, first];
    chosen.current = place;
    onWriting({ key: keyOf({ ...place, line }), ...(from < line && { from }) });
  };
  return (
    <Rows
      path={path}
      lines={lines}
      hit={hit}
      propsOf={(line, at) => ({
        isHit: at === hit,
        tokens: tokens.get(line),
        marked: words(line),
        comment: own.get(keyOf(placeOf(line))),
        writing: isAt(line, writing) ? writing : null,
        onWrite: write,
        onClose: () => onWriting(null),
        onComment,
      })}
    />
  );
}

const NO_TOKENS: ReadonlyMap<DiffLine, readonly Token[]> = new Map();

/** Colours come after the text, which nobody waits for. */
function useTokens(path: string, lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Token[]> {
  const [tokens, setTokens] = useState(NO_TOKENS);
  useEffect(() => {
    let isOver = false;
    const colour = async (): Promise<void> => {
      const { tokensOf } = await import('./highlight.ts');
      if (!isOver) setTokens(tokensOf(path, lines));
    };
    // Without its part of the build a file stays without colours.
    colour().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [path, lines]);
  return tokens;
}
