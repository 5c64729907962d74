/** Leaves out a list that the program opens at the left of its own screen, such as the sessions of Copilot CLI. */
import type { Row } from './ansi.ts';
import type { Profile } from './profile/schema.ts';

/** A screen without the list, and what the list says in its last row while it takes the keys; empty while it does not, or is not there. */
interface Beside {
  readonly rows: readonly Row[];
  readonly hint: string;
}

/** Its edge goes from the first row to the last, through rows that no answer can draw: without it in one of them there is no list. */
export function besideSidebar(profile: Profile, rows: readonly Row[]): Beside {
  const { sidebar } = profile.screen;
  const edges = sidebar === null ? [] : rows.map(({ text }) => text.search(sidebar));
  if (edges.length === 0 || edges.includes(-1)) return { rows, hint: '' };
  const hint = rows.at(-1)?.text.slice(0, edges.at(-1)).trim() ?? '';
  return { rows: rows.map((row, at) => cut(row, (edges[at] ?? 0) + 1)), hint };
}

/** Returns a row from a place on. */
function cut({ text, runs }: Row, from: number): Row {
  return {
    text: text.slice(from),
    runs: runs.flatMap((run) => {
      const words = run.text.slice(Math.max(0, from - run.at));
      return words === '' ? [] : [{ ...run, at: Math.max(0, run.at - from), text: words }];
    }),
  };
}
