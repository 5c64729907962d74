/** Names the result that a worker's agent owes to a run, for the commands that give its texts and check its work. */
import type { RunItem } from '../run/task.ts';
import { runOf } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';

export function owedBy({ task }: Worker): { readonly owed?: RunItem } {
  const run = runOf(task);
  if (run === null || run.phase === 'held') return {};
  const { runId, item, attempt, returns } = run;
  return { owed: { runId, item, attempt, returns } };
}
