// Writes docs/worker-states.md, the states of a worker and its moves, from core: `npm run docs`.
import { STATUS_MEANING, TRANSITIONS, WORKER_STATUSES, type Transition } from '@drover/core';
import { table } from './table.ts';

/** The page's whole text. */
export function workerStatesPage(): string {
  const states = WORKER_STATUSES.map((status) => [`\`${status}\``, STATUS_MEANING[status]]);
  const moves = rowsOf(TRANSITIONS).map(({ from, to, on }) => [names(from), names(to), on]);
  return [HEAD, table(['state', 'a worker in it …'], states), '## Moves', MOVES, table(['from', 'to', 'on'], moves), '']
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

const HEAD = `# States of a worker

<!-- Written by \`npm run docs\` from packages/core/src/worker/status.ts: change it there. -->

\`drover status\` shows these states; [recovery.md](recovery.md) says what Drover does about each failure.`;

const MOVES = `A new worker is \`offline\` until its session is up, and returns from \`offline\` to its state before. \`decide\` fails with an
\`InvariantError\` at any other move; a test plays histories until each of these was made.`;

interface Row {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly on: string;
}

/** Joins moves with the same cause that come from the same states, or go to the same one, into one row. */
function rowsOf(moves: readonly Transition[]): readonly Row[] {
  const byGoal = Object.values(Object.groupBy(moves, ({ to, on }) => `${to} ${on}`)).flatMap((same = []) =>
    same.slice(0, 1).map(({ to, on }): Row => ({ from: same.map(({ from }) => from), to: [to], on })),
  );
  return Object.values(Object.groupBy(byGoal, ({ from, on }) => `${from.join()} ${on}`)).flatMap((same = []) =>
    same.slice(0, 1).map(({ from, on }): Row => ({ from, to: same.flatMap(({ to }) => to), on })),
  );
}

function names(states: readonly string[]): string {
  return states.map((state) => `\`${state}\``).join(', ');
}
