/** Gives a worker's own machine the token for the worker's pane; the token finds this worker alone and changes nothing. */
import type { WorkerTokenAnswer, WorkerTokenRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Context } from '../context/context.ts';
import { type Answer } from './enrol.ts';
import { sha256 } from '../context/sha256.ts';

/** Makes a new token and revokes the previous one. A machine gets tokens of its own workers only. */
export async function giveWorkerToken(
  ctx: Context,
  machine: Pick<Machine, 'id'>,
  { workerId }: WorkerTokenRequest,
): Promise<Answer<WorkerTokenAnswer>> {
  const worker = await ctx.store.readWorker(workerId);
  if (worker === null || worker.machineId !== machine.id) {
    const message = `This machine has no worker ${workerId}`;
    return { kind: 'refused', status: 404, error: { code: 'unknown-worker', message } };
  }
  const token = ctx.ids.secret();
  const { name, projectId } = worker;
  const row = { id: ctx.ids.uuid(), name, workerId, projectId, sha256: sha256(token) };
  await ctx.store.transaction((tx) => tx.issueWorkerToken(row, ctx.clock.now()));
  return { kind: 'ok', value: { token } };
}
