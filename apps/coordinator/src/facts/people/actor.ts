/** Identifies the caller by the token that a request shows. */
import type { Actor } from '@drover/api';
import type { ApiToken } from '@drover/store';
import { isOver } from '../../context/token-names.ts';
import type { Context } from '../../context/context.ts';
import { bearerSha256 } from '../../context/bearer.ts';

/** Milliseconds between two writes of a token's last use. */
const USE_NOTED_MS = 60_000;

/** Names the actor beside a question. A laptop's token is named by a number, which means nothing to people. */
export function readableName(
  { startToken, startPerson }: Pick<Context, 'startToken' | 'startPerson'>,
  { name }: Pick<Actor, 'name'>,
): string {
  return name === startToken ? (startPerson ?? name) : name;
}

/** @returns null for no token, an unknown token, and an expired token. */
export async function actorOf(ctx: Context, authorization: string | undefined): Promise<Actor | null> {
  const sha256 = bearerSha256(authorization);
  const token = sha256 === null ? null : await ctx.store.apiTokenBySha256(sha256);
  return token === null ? null : actorOfToken(ctx, token);
}

/** @returns null for an expired token. */
export async function actorOfToken(
  ctx: Context,
  token: ApiToken & { readonly lastUsedAt: number | null },
): Promise<Actor | null> {
  if (isOver(ctx, token)) return null;
  const { id, name, role, projectId, workerId, channels = null, lastUsedAt } = token;
  if (ctx.clock.now() - (lastUsedAt ?? 0) >= USE_NOTED_MS) await ctx.store.touchApiToken(id, ctx.clock.now());
  const known = { id, name, role, project: projectId, worker: workerId };
  if (channels !== null) return { kind: 'bot', ...known, channels };
  return { kind: workerId === null ? 'person' : 'worker', ...known };
}
