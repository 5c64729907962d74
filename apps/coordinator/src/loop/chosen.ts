/** Explains in words why a worker is in its place, and on which account. The words are kept with its row. */
import type { Decision, WorkerEvent } from '@drover/core';
import type { Cause, Chosen, WorkerRow } from '@drover/store';
import { tellCause } from '../facts/people/causes.ts';

interface Decided {
  readonly decision: Decision;
  readonly event: WorkerEvent;
  readonly by: Cause;
  /** Words of the caller about its choice; kept unless the event was refused. */
  readonly chosen: Chosen | undefined;
}

/** Words that hold from now on. */
export function chosenAfter(row: WorkerRow, decided: Decided): Chosen {
  const { decision, chosen } = decided;
  const { machine } = decision.consequences;
  const said = decision.reply.kind === 'refused' ? {} : chosen;
  const known = { ...row.options.chosen, ...whoMoves(row, decided), ...said };
  if (machine === null || machine === row.machineId) return known;
  return { ...known, machine: { id: machine, why: whyMoved(decision, machine, known) } };
}

/** Names a move that this decision begins, and its cause. A drain names itself. */
function whoMoves({ state: before }: WorkerRow, { decision, event, by }: Decided): Pick<Chosen, 'move'> {
  const { move, incident } = decision.worker;
  if (move.kind === 'none' || (before.move.kind !== 'none' && before.move.route.id === move.route.id)) return {};
  const { id } = move.route;
  if (event.kind === 'move-requested') return { move: { id, why: `at the request of ${tellCause(by) ?? 'somebody'}` } };
  return { move: { id, why: `by recovery, because ${incident.open?.why ?? 'it could not continue'}` } };
}

function whyMoved({ worker: { move } }: Decision, machineId: string, { move: known }: Chosen): string {
  if (move.kind === 'none') return 'it was moved there';
  const { id, from, to } = move.route;
  const who = known?.id === id ? ` ${known.why}` : '';
  if (to.id === machineId) return `it was moved there from "${from.name}"${who}`;
  const why = move.kind === 'returning' ? `, because ${move.why}` : '';
  return `its move to "${to.name}"${who} was abandoned, and it returned${why}`;
}
