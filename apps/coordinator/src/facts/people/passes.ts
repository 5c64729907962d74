/**
 * Makes passes for browsers, which stand for a token and do not hold it: a ticket for a stream of events, a ticket that signs a browser
 * in, and the cookie of a signed-in browser. A pass has the rights of its token, and ends with it at the latest. The seal proves a pass
 * to every replica; only the use of a ticket is stored.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { actorOfToken } from './actor.ts';

/**
 * Milliseconds that a pass is valid, by its purpose. A page opens its stream at once; "drover open" starts the browser at once. A browser
 * signs in again each week.
 */
const GOOD_MS = {
  'event ticket': 60_000,
  'sign-in ticket': 30_000,
  'browser session': 7 * 24 * 3_600_000,
} as const;

type Purpose = keyof typeof GOOD_MS;

/** Bytes of the token's id, the pass's own id, and its end. */
const PAYLOAD_BYTES = 40;
const SEAL_BYTES = 32;
/** Length in base64url without padding. */
const PASS_CHARS = ((PAYLOAD_BYTES + SEAL_BYTES) * 4) / 3;

/** Makes a new pass, which is secret. */
export function makePass(
  { identity, clock, ids }: Pick<Context, 'identity' | 'clock' | 'ids'>,
  { id }: Pick<Actor, 'id'>,
  purpose: Purpose,
): { readonly pass: string; readonly expiresAt: number } {
  const expiresAt = clock.now() + GOOD_MS[purpose];
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(hexOf(id), 0, 'hex');
  payload.write(hexOf(ids.uuid()), 16, 'hex');
  payload.writeBigUInt64BE(BigInt(expiresAt), 32);
  const pass = Buffer.concat([payload, identity.seal(purpose, payload)]).toString('base64url');
  return { pass, expiresAt };
}

/** @returns the owner of a pass; null for a foreign or expired pass, or one whose token is revoked or has expired. */
export async function readPass(ctx: Context, pass: string, purpose: Purpose): Promise<Actor | null> {
  const payload = payloadOf(ctx, pass, purpose);
  const token = payload === null ? null : await ctx.store.readApiToken(uuidOf(payload));
  return token === null ? null : actorOfToken(ctx, token);
}

/** Uses up a pass, so that it is good once. @returns as `readPass`, and null for a used pass. */
export async function usePass(ctx: Context, pass: string, purpose: Purpose): Promise<Actor | null> {
  const actor = await readPass(ctx, pass, purpose);
  if (actor === null) return null;
  const { clock, ids, store } = ctx;
  // The key of a client has no space. Each use is a request of its own, and the first one keeps the key.
  const key = `ticket ${Buffer.from(pass, 'base64url').toString('hex', 16, 32)}`;
  const use = { caller: actor.id, key, id: ids.uuid(), requestSha256: ids.uuid(), now: clock.now() };
  return (await store.claimKey(use)).kind === 'open' ? actor : null;
}

/** Names the cookie of a signed-in browser. Cookies are shared by all ports of a host, so each fleet has a name of its own. */
export function cookieName({ identity }: Pick<Context, 'identity'>): string {
  return `drover-${identity.id.slice(0, 12)}`;
}

/** Identifies the person of a signed-in browser by its cookies; null for none. */
export async function actorOfCookies(ctx: Context, cookies: string | undefined): Promise<Actor | null> {
  const name = `${cookieName(ctx)}=`;
  const own = cookies?.split(/; */u).find((one) => one.startsWith(name));
  return own === undefined ? null : readPass(ctx, own.slice(name.length), 'browser session');
}

function payloadOf({ identity, clock }: Context, pass: string, purpose: Purpose): Buffer | null {
  const bytes = Buffer.from(pass, 'base64url');
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const isOurs =
    pass.length === PASS_CHARS &&
    bytes.length === PAYLOAD_BYTES + SEAL_BYTES &&
    timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), identity.seal(purpose, payload));
  return isOurs && clock.now() < Number(payload.readBigUInt64BE(32)) ? payload : null;
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** Reads the id of the token at the beginning of a payload. */
function uuidOf(payload: Buffer): string {
  return payload.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
