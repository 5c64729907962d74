/** Draws the lines of a file: all of them, so that the browser's own search finds them, or of a long one those in view. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import type { DiffLine } from '@drover/protocol/diff-lines';
import { Line } from './diff-line.tsx';
import type { LineProps } from './diff-line.tsx';
import css from './review.module.css';

interface Props {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  /** Makes what each line needs beside its place. */
  readonly propsOf: (line: DiffLine, at: number) => Omit<LineProps, 'line' | 'isFirst' | 'isAfterGap' | 'isChange'>;
  /** Line that a search has found. */
  readonly hit: number | null;
}

/** Lines of a file beyond which only those in view are drawn. */
export const DRAWN_LINES_MAX = 3_000;
const LINE_PIXELS = 18;
/** Lines that are drawn beyond the edges. */
const OVERSCAN = 40;

export function Rows(props: Props) {
  return props.lines.length > DRAWN_LINES_MAX ? <LongRows {...props} /> : <AllRows {...props} />;
}

function AllRows({ path, lines, propsOf, hit }: Props) {
  const place = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (hit !== null) place.current?.querySelectorAll('[data-line]')[hit]?.scrollIntoView({ block: 'center' });
  }, [hit]);
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={`Lines of ${showHidden(path)}`}>
      <table ref={place} className={css.lines} onKeyDown={moveBetweenLines}>
        <tbody>
          {lines.map((line, at) => (
            <Line key={at} line={line} {...standing(lines, at)} {...propsOf(line, at)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LongRows({ path, lines, propsOf, hit }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PIXELS,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (hit !== null) rows.scrollToIndex(hit, { align: 'center' });
  }, [hit, rows]);
  const shown = rows.getVirtualItems();
  const [above, below] = [shown[0]?.start ?? 0, rows.getTotalSize() - (shown.at(-1)?.end ?? 0)];
  return (
    <div ref={place} className={css.longScroll} tabIndex={0} role="region" aria-label={`Lines of ${showHidden(path)}`}>
      <table className={css.lines} aria-rowcount={lines.length} onKeyDown={moveBetweenLines}>
        <tbody aria-hidden="true">
          <Spacer height={above} />
        </tbody>
        {shown.map(({ index }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <tbody key={index} data-index={index} ref={rows.measureElement}>
              <Line line={line} {...standing(lines, index)} {...propsOf(line, index)} />
            </tbody>
          );
        })}
        <tbody aria-hidden="true">
          <Spacer height={below} />
        </tbody>
      </table>
    </div>
  );
}

/** Keeps the room of lines that are not drawn. A script may set a height under the page's policy. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr>
      <td colSpan={4} style={{ height: Math.max(0, height) }} />
    </tr>
  );
}

function standing(lines: readonly DiffLine[], at: number): Pick<LineProps, 'isFirst' | 'isAfterGap' | 'isChange'> {
  const [line, above] = [lines[at], lines[at - 1]];
  const isAfterGap = line !== undefined && isGap(above, line);
  const isChanged = line !== undefined && line.kind !== 'kept';
  return { isFirst: at === 0, isAfterGap, isChange: isChanged && (isAfterGap || above?.kind !== line.kind) };
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
