/** A gateway says how its machines are, and waits until there is news for it. */
import type { GatewayRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Context } from '../use-cases/context.ts';
import { answerTo, isNews, serveGateway, type Served } from '../use-cases/gateways/serve.ts';
import { endOf } from './sync.ts';
import { nextHint } from './waiters.ts';
import type { Waiters } from './waiters.ts';

/** How one request waits. */
interface Waiting {
  readonly request: GatewayRequest;
  readonly waiters: Waiters;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** A lease of another gateway may end without a hint: rows are read again this often, in milliseconds. */
const READ_AGAIN_MS = 2_000;

/** Answers at once where the gateway does not know something yet; else at a hint, or after the wait. */
export async function waitForGateway(
  ctx: Context,
  gateway: Machine,
  { request, waiters, waitMs, signal }: Waiting,
): Promise<Served> {
  const served = await serveGateway(ctx, gateway, request);
  if (served.kind === 'refused' || request.leaving) return served;
  // Its request is its sign of life: a gateway has no other.
  await ctx.store.touchMachine(sessionOf(gateway), ctx.clock.now());
  const end = ctx.clock.now() + waitMs;
  let { answer } = served;
  while (!signal.aborted && ctx.clock.now() < end && !isNews(answer, request)) {
    const ms = Math.min(end - ctx.clock.now(), READ_AGAIN_MS);
    await nextHint(waiters, gateway.id, { ms, after: (delay, run) => ctx.clock.after(delay, run), signal });
    if ((await endOf(ctx, gateway)) !== null) break;
    answer = await answerTo(ctx, gateway, request);
  }
  return { kind: 'served', answer };
}

function sessionOf({ id, epoch, agentEpoch }: Machine): {
  machineId: string;
  epoch: number;
  agentEpoch: string | null;
} {
  return { machineId: id, epoch, agentEpoch };
}
