// Answers the requests of machine agents for a replica, as agent/routes.ts does, without HTTP.
import { askHome, challenge, hello, join, sha256, waitForGateway } from '@drover/coordinator/testing';
import type { Answer } from '@drover/coordinator/testing';
import { gatewayRequest, homeRequest } from '@drover/protocol';
import type { ChallengeRequest, HelloRequest, JoinRequest, SyncRequest } from '@drover/protocol';
import type { Replica } from './replica.ts';

/** Request of a machine agent. */
export interface Asked {
  /** Path such as `/agent/sync`. */
  readonly path: string;
  readonly body: unknown;
  /** The access token; empty where none was sent. */
  readonly token: string;
  /** Milliseconds that the answer may be held. */
  readonly waitMs: number;
  /** Fires when the caller has given up. */
  readonly signal: AbortSignal;
}

/** Answer over HTTP. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** @throws Error when the process dies before its answer, as a connection that breaks. */
export async function serveAgent(replica: Replica, asked: Asked): Promise<Answered> {
  try {
    return await served(replica, asked);
  } catch (error) {
    // A store that failed is the coordinator's trouble, and answered.
    if (replica.isAlive) return { status: 500, text: JSON.stringify({ code: 'internal', message: String(error) }) };
    throw error;
  }
}

async function served(replica: Replica, { path, body, token, waitMs, signal }: Asked): Promise<Answered> {
  switch (path) {
    case '/agent/join':
      return replica.serve(async ({ ctx }) => told(await join(ctx, body as JoinRequest)));
    case '/agent/challenge':
      return replica.serve(async ({ ctx }) => told(await challenge(ctx, body as ChallengeRequest)));
    case '/agent/hello':
      return replica.serve(async ({ ctx }) => told(await hello(ctx, body as HelloRequest)));
    case '/agent/sync': {
      const answer = await replica.sync(body as SyncRequest, { token, waitMs, signal });
      return { status: answer.registered ? 200 : 401, text: JSON.stringify(answer) };
    }
    case '/agent/gateway':
      return replica.serve((serving) => servedGateway(serving, { body, token, waitMs, signal }));
    case '/agent/home':
      return replica.serve((serving) => askedElsewhere(serving, { token, body }));
    default:
      return { status: 404, text: '' };
  }
}

async function servedGateway(
  { ctx, commands: waiters }: Parameters<Parameters<Replica['serve']>[0]>[0],
  { token, body, waitMs, signal }: Omit<Asked, 'path'>,
): Promise<Answered> {
  const machine = await ctx.store.machineByToken(sha256(token), ctx.clock.now());
  if (machine === null) return { status: 401, text: '{}' };
  const request = gatewayRequest.parse(body);
  const served = await waitForGateway(ctx, machine, { request, waiters, waitMs, signal });
  if (served.kind === 'served') return { status: 200, text: JSON.stringify(served.answer) };
  return { status: 403, text: JSON.stringify(served.error) };
}

async function askedElsewhere(
  { ctx, commands }: Parameters<Parameters<Replica['serve']>[0]>[0],
  { token, body }: Pick<Asked, 'token' | 'body'>,
): Promise<Answered> {
  const machine = await ctx.store.machineByToken(sha256(token), ctx.clock.now());
  if (machine === null) return { status: 401, text: '{}' };
  const asked = await askHome(ctx, { commands }, { machine, request: homeRequest.parse(body) });
  switch (asked.kind) {
    case 'answered':
      return { status: 200, text: JSON.stringify(asked.answer) };
    case 'under-way':
      return { status: 202, text: '{}' };
    case 'away':
      return { status: 409, text: JSON.stringify({ code: 'home-away', message: asked.message }) };
    case 'unknown':
      return { status: 404, text: '{}' };
    default:
      return asked satisfies never;
  }
}

function told<T>(answer: Answer<T>): Answered {
  if (answer.kind === 'ok') return { status: 200, text: JSON.stringify(answer.value) };
  return { status: answer.status, text: JSON.stringify(answer.error) };
}
