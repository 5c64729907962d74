/**
 * Carries out the requests of a run. What a request does and the event that tells the run of it are written in one transaction, in which the
 * request ends: carried out twice is once (W8). No transaction locks a run and a worker.
 */
import type { DueWork } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { runRequestPayload } from '../../../loop/runs/due.ts';
import { forget } from './forget.ts';
import { askMachine } from './machine.ts';
import { release, send, tellWorker } from './hold.ts';
import { start } from './start.ts';

/** @returns a hint for after the commit; null: nothing follows. */
export async function carryOutRunRequest(ctx: Context, work: DueWork): Promise<{ readonly hint: () => void } | null> {
  const { runId, request, ...asked } = runRequestPayload.parse(work.payload);
  const run = await ctx.store.readRun(runId);
  if (run === null) {
    await ctx.store.transaction((tx) => tx.finishDueWork(work));
    return null;
  }
  const carried = { work, run, tries: asked.tries, command: asked.command, at: asked.at, reserved: asked.reserved };
  switch (request.kind) {
    case 'start':
      return start(ctx, { ...carried, request });
    case 'send':
    case 'hand-back':
      return send(ctx, { ...carried, request });
    case 'tell':
      return tellWorker(ctx, { ...carried, request });
    case 'release':
      return release(ctx, { ...carried, request });
    case 'pin':
    case 'check':
    case 'join':
    case 'accept':
      return askMachine(ctx, { ...carried, request });
    case 'forget':
      return forget(ctx, { ...carried, request });
    case 'ask':
    case 'withdraw':
      // Questions are asked and closed with the decision.
      return null;
    default:
      return request satisfies never;
  }
}
