/** Finds the rows of a long table that are in view: hundreds of rows, each with a link, make every key slow. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { onResize } from '../../client/browser-adapter.ts';

/** Rows up to which all are drawn, so that the browser's own search finds them. */
const DRAWN_ROWS_MAX = 100;
/** Rows that are drawn beyond the edges: a person who goes down by keys always finds the next one. */
const OVERSCAN = 15;
const ROW_PIXELS = 33;
const ROW_PIXELS_PHONE = 96;

export interface DrawnRows<T> {
  readonly rows: readonly T[];
  /** Place of the first of them in the whole table. */
  readonly first: number;
  /** Pixels of the rows above and below. */
  readonly above: number;
  readonly below: number;
  /** Place of the table in the page. */
  readonly place: React.RefObject<HTMLTableSectionElement | null>;
}

export function useDrawnRows<T>(all: readonly T[]): DrawnRows<T> {
  const place = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const isLong = all.length > DRAWN_ROWS_MAX;
  const [height] = useState(() => (window.innerWidth <= 640 ? ROW_PIXELS_PHONE : ROW_PIXELS));
  const rows = useWindowVirtualizer({
    count: isLong ? all.length : 0,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null || !isLong) return undefined;
    const measure = (): void => setTop(Math.round(current.getBoundingClientRect().top + window.scrollY));
    measure();
    // Cards above the table come and go, and with them the height of the page.
    return onResize(document.body, measure);
  }, [isLong]);
  if (!isLong) return { rows: all, first: 0, above: 0, below: 0, place };
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? Math.min(all.length, 2 * OVERSCAN) - 1;
  return {
    rows: all.slice(first, last + 1),
    first,
    above: first * height,
    below: (all.length - last - 1) * height,
    place,
  };
}
