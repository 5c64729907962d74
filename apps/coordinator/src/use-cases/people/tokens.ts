/** Lists tokens, makes a new one, and revokes one. */
import { createTokenInput } from '@drover/api';
import type { Actor, Outcome, Refusal, TokenFleet, TokenView } from '@drover/api';
import type { ListedToken } from '@drover/store';
import { sha256 } from '../../context/sha256.ts';
import type { Ids } from '../../context/ports.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import type { Context } from '../../context/context.ts';
import { EVERYTHING, readRoster } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';
import { refused } from '../../context/refused.ts';

/** Prefix of people's secrets, by which scanners of repositories and logs recognize one. */
const PREFIX = 'drv_';

/** Makes a secret for a person's token. */
export function newSecret(ids: Pick<Ids, 'secret'>): string {
  return `${PREFIX}${ids.secret()}`;
}

/** Lock of every change of tokens: two admins who revoke each other at once leave one. */
const LOCK = 'tokens';

export function createTokenFleet(ctx: Context): TokenFleet {
  return {
    listTokens: async (by) => {
      const roster = await readRoster(ctx, EVERYTHING);
      return (await ctx.store.listApiTokens()).map((token) => tokenView(token, { roster, by }));
    },
    createToken: (input, by) => create(ctx, input, by),
    editToken: (input, by) => edit(ctx, input, by),
    revokeToken: (input, by) => revoke(ctx, input, by),
  };
}

async function create(
  ctx: Context,
  { name, role, project, expiresInMs, channels }: Parameters<TokenFleet['createToken']>[0],
  by: Actor,
): ReturnType<TokenFleet['createToken']> {
  const roster = await readRoster(ctx, EVERYTHING);
  const within = roster.projects.find((one) => one.name === project);
  if (project !== undefined && within === undefined) {
    const names = roster.projects.map((one) => one.name).join(', ') || 'none yet';
    return refused('not-found', `There is no project "${project}"; there are: ${names}`);
  }
  if (channels !== undefined && role === 'admin')
    return refused('invalid', 'A bot may have at most the role operator: give it --role operator or a lower one');
  const secret = newSecret(ctx.ids);
  const now = ctx.clock.now();
  const token = {
    id: ctx.ids.uuid(),
    name,
    role,
    projectId: within?.id ?? null,
    workerId: null,
    channels: channels ?? null,
    expiresAt: expiresInMs === null ? null : now + expiresInMs,
  };
  const outcome = await ctx.store.transaction(async (tx) => {
    const inserted = await tx.insertApiToken({ ...token, sha256: sha256(secret) }, now);
    const bot = channels === undefined ? {} : { channels };
    const details = { id: token.id, role, project: project ?? null, expiresAt: token.expiresAt, ...bot };
    if (inserted === 'inserted')
      await tx.audit(audited({ at: now, by: causeOf(by), action: 'token-made', about: `token ${name}`, details }));
    return inserted;
  });
  if (outcome === 'name-taken')
    return refused('name-taken', `The token "${name}" already exists: choose another name, or revoke it first`);
  ctx.log('info', `The token "${name}" (${role}) was made by ${by.name}`);
  const listed = { ...token, createdAt: now, lastUsedAt: null };
  return { kind: 'ok', value: { secret, token: tokenView(listed, { roster, by }) } };
}

async function edit(
  ctx: Context,
  { name, expiresInMs }: Parameters<TokenFleet['editToken']>[0],
  by: Actor,
): Promise<Outcome<TokenView>> {
  const roster = await readRoster(ctx, EVERYTHING);
  const at = ctx.clock.now();
  const outcome = await ctx.store.transaction(async (tx) => {
    await tx.lockName(LOCK);
    const tokens = (await tx.listApiTokens()).filter(({ workerId }) => workerId === null);
    const token = tokens.find((one) => one.name === name);
    if (token === undefined) return noToken(name, tokens);
    const isLast = !tokens.some((one) => one.id !== token.id && one.expiresAt === null && isAdmin(one, ctx));
    if (expiresInMs !== null && token.expiresAt === null && isAdmin(token, ctx) && isLast)
      return refused('last-admin', `"${name}" is the last admin token that does not expire: make another one first`);
    const expiresAt = expiresInMs === null ? null : at + expiresInMs;
    await tx.setApiTokenEnd(token.id, expiresAt);
    const details = { id: token.id, expiresAt };
    await tx.audit(audited({ at, by: causeOf(by), action: 'token-changed', about: `token ${name}`, details }));
    return { ...token, expiresAt };
  });
  return 'kind' in outcome ? outcome : { kind: 'ok', value: tokenView(outcome, { roster, by }) };
}

function noToken(name: string, tokens: readonly ListedToken[]): Refusal {
  const names = tokens.map((one) => one.name).join(', ') || 'none';
  return refused('not-found', `There is no token "${name}"; there are: ${names}`);
}

async function revoke(
  ctx: Context,
  { name, own, force }: Parameters<TokenFleet['revokeToken']>[0],
  by: Actor,
): ReturnType<TokenFleet['revokeToken']> {
  const roster = await readRoster(ctx, EVERYTHING);
  const outcome = await ctx.store.transaction(async (tx) => {
    await tx.lockName(LOCK);
    const tokens = (await tx.listApiTokens()).filter(({ workerId }) => workerId === null);
    const token = tokens.find((one) => one.name === name);
    if (token === undefined) return noToken(name, tokens);
    if (token.id === by.id && !own)
      return refused('own-token', `"${name}" is the token that you are using: you would lose access at once`);
    if (!force && isAdmin(token, ctx) && !tokens.some((one) => one.id !== token.id && isAdmin(one, ctx)))
      return refused('last-admin', `"${name}" is the last admin token: make another one first, or repeat with --force`);
    await tx.deleteApiToken(token.id);
    const details = { id: token.id, role: token.role };
    const now = ctx.clock.now();
    await tx.audit(audited({ at: now, by: causeOf(by), action: 'token-revoked', about: `token ${name}`, details }));
    return token;
  });
  if ('kind' in outcome) return outcome;
  ctx.log('info', `The token "${name}" was revoked by ${by.name}`);
  return { kind: 'ok', value: tokenView(outcome, { roster, by }) };
}

/** Tells whether it is a valid token of an admin of the whole fleet. */
function isAdmin({ role, projectId, channels, expiresAt }: ListedToken, { clock }: Context): boolean {
  const isBot = channels !== undefined && channels !== null;
  return role === 'admin' && projectId === null && !isBot && (expiresAt === null || expiresAt > clock.now());
}

function tokenView(token: ListedToken, { roster, by }: { roster: Roster; by: Actor }): TokenView {
  const { projectId, workerId, ...rest } = token;
  return {
    id: rest.id,
    name: rest.name,
    role: rest.role,
    project: nameIn(roster.projects, projectId),
    worker: nameIn(roster.workers, workerId),
    channels: rest.channels === undefined || rest.channels === null ? null : [...rest.channels],
    createdAt: rest.createdAt,
    expiresAt: rest.expiresAt,
    lastUsedAt: rest.lastUsedAt,
    own: rest.id === by.id,
  };
}

/** Finds a name; a missing row is shown by its id. */
function nameIn(rows: readonly { readonly id: string; readonly name: string }[], id: string | null): string | null {
  return id === null ? null : (rows.find((row) => row.id === id)?.name ?? id);
}

/** Tells people what is wrong with the name of a token; null: nothing. */
export function tokenNameProblem(name: string): string | null {
  return createTokenInput.shape.name.safeParse(name).error?.issues[0]?.message ?? null;
}
