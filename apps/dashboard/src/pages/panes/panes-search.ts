/** Reads from the address which panes are shown: nine at once, of workers in the sequence of their names. */
import type { WorkerView } from '@drover/api';
import { readTableSearch, rowsOf } from '../../fleet/table.ts';

/** Panes that are watched at once. */
export const TILES_MAX = 9;

/** Search of the page's address. `page` counts from 1. */
export interface PanesSearch {
  readonly q?: string | undefined;
  readonly page?: number | undefined;
}

/** A wrong part counts as absent. */
export function readPanesSearch(given: Readonly<Record<string, unknown>>): PanesSearch {
  const { q } = readTableSearch(given);
  const { page } = given;
  return { ...(q !== undefined && { q }), ...(Number.isInteger(page) && Number(page) > 1 && { page: Number(page) }) };
}

export interface ShownPanes {
  readonly workers: readonly WorkerView[];
  readonly page: number;
  readonly pages: number;
  /** Workers that have a pane and hold the words. */
  readonly count: number;
}

/** Names do not change, so that no tile moves while somebody looks at it. */
export function panesOf(workers: Iterable<WorkerView>, { q, page = 1 }: PanesSearch): ShownPanes {
  const all = rowsOf(workers, { q, sort: 'name' }).filter(({ status }) => status !== 'offline');
  const pages = Math.max(1, Math.ceil(all.length / TILES_MAX));
  const shown = Math.min(page, pages);
  return {
    workers: all.slice((shown - 1) * TILES_MAX, shown * TILES_MAX),
    page: shown,
    pages,
    count: all.length,
  };
}
