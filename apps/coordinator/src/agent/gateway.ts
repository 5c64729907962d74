/** Takes a gateway's report on its machines, and waits until there is news for the gateway. */
import type { GatewayRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Context } from '../context/context.ts';
import { answerTo, isNews, serveGateway, type Served } from '../use-cases/machines/gateways/serve.ts';
import { endOf } from './sync.ts';
import { listenFor } from '../context/waiters.ts';
import type { Hint, Waiters } from '../context/waiters.ts';

/** A request that waits. */
interface Waiting {
  readonly request: GatewayRequest;
  readonly waiters: Waiters;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Milliseconds between two reads of the rows: the lease of another gateway may end without a hint. */
const READ_AGAIN_MS = 2_000;

/** Answers at once if the gateway does not know something yet; else at a hint, or after the wait. */
export async function waitForGateway(
  ctx: Context,
  gateway: Machine,
  { request, waiters, waitMs, signal }: Waiting,
): Promise<Served> {
  const end = ctx.clock.now() + waitMs;
  const listen = (): Hint => {
    const ms = Math.max(0, Math.min(end - ctx.clock.now(), READ_AGAIN_MS));
    return listenFor(waiters, gateway.id, { ms, after: (delay, run) => ctx.clock.after(delay, run), signal });
  };
  let hint = listen();
  try {
    const served = await serveGateway(ctx, gateway, request);
    if (served.kind === 'refused' || request.leaving) return served;
    // A gateway's request is its only sign of life.
    await ctx.store.touchMachine(sessionOf(gateway), ctx.clock.now());
    let { answer } = served;
    while (!signal.aborted && ctx.clock.now() < end && !isNews(answer, request)) {
      await hint.heard;
      hint = listen();
      if ((await endOf(ctx, gateway)) !== null) break;
      answer = await answerTo(ctx, gateway, request);
    }
    return { kind: 'served', answer };
  } finally {
    hint[Symbol.dispose]();
  }
}

function sessionOf({ id, epoch, agentEpoch }: Machine): {
  machineId: string;
  epoch: number;
  agentEpoch: string | null;
} {
  return { machineId: id, epoch, agentEpoch };
}
