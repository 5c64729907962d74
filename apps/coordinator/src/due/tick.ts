/** Runs one tick of a scheduler: the work that the loops of a living process would have done by now. */
import type { LocalClock } from '@drover/base';
import { mailLane } from '../mail/lane.ts';
import type { Context } from '../context/context.ts';
import { Sender } from '../sending/sender.ts';
import { webhookLane } from '../webhooks/lane.ts';
import { drainDueWork } from './drain.ts';

/** Dependencies of a tick besides the context. */
export interface TickTools {
  readonly webhookHosts: readonly string[];
  readonly elapsed: LocalClock['elapsed'];
}

/**
 * Does due work, then sends mail and delivers webhooks. Nothing new begins `budgetMs` milliseconds after the start. @returns the number
 * of rows of due work done.
 */
export async function tickOnce(ctx: Context, { webhookHosts, elapsed }: TickTools, budgetMs: number): Promise<number> {
  const end = elapsed() + budgetMs;
  const done = await drainDueWork(ctx, { budget: { budgetMs, elapsed } });
  const leftMs = end - elapsed();
  if (leftMs <= 0) return done;
  await using webhooks = new Sender(ctx, webhookLane(ctx, { allowed: webhookHosts }));
  await using mail = ctx.mail === undefined ? null : new Sender(ctx, mailLane(ctx, ctx.mail));
  const cancel = ctx.clock.after(leftMs, () => {
    webhooks.stop();
    mail?.stop();
  });
  await Promise.all([webhooks.round(), mail?.round()]);
  cancel();
  return done;
}
