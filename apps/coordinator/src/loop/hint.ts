/** Wakes those who have work after the commit of a decision. */
import type { Decision, DecisionRecord } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { Context } from '../context/context.ts';

/** Records that schedule due work for now: a check of waiting work, of an account, and of the work queue. */
const BRINGS_DUE_WORK: ReadonlySet<DecisionRecord['kind']> = new Set([
  'default-branch-moved',
  'account',
  'queued',
  'task',
  'moved',
  'gone',
  'carriage',
  'place-left',
  'trust',
  'run',
]);

/** Builds the wake-up of a decision. Hints may get lost: whoever misses one checks a moment later. */
export function hintOf(
  { hints }: Context,
  row: WorkerRow,
  { decision, now }: { readonly decision: Decision; readonly now: number },
): void {
  const { commands, worker, records } = decision;
  // A question asks its machine for the last lines of the pane.
  if (commands.length > 0 || records.some(({ kind }) => kind === 'escalated')) hints.commands(row.machineId);
  hints.events(row.id);
  const due = Object.values(worker.deadlines);
  if (due.length > 0) hints.due(Math.min(...due));
  if (records.some(({ kind }) => BRINGS_DUE_WORK.has(kind))) hints.due(now);
}
