/**
 * Makes tickets by which a browser opens a stream of events: its EventSource sends no token, and a token must not stand in an address. A
 * ticket is valid for a minute, for one stream, and for nothing else; the stream ends with the token for which the ticket was made.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '@drover/api';
import { actorOfToken } from '../../facts/people/actor.ts';
import type { Context } from '../../context/context.ts';

/** Milliseconds that a ticket is valid: a page opens its stream at once. */
const GOOD_MS = 60_000;
/** Bytes of the token's id, the ticket's own id, and its end. */
const PAYLOAD_BYTES = 40;
const SEAL_BYTES = 32;
/** Length in base64url without padding. */
const TICKET_CHARS = ((PAYLOAD_BYTES + SEAL_BYTES) * 4) / 3;

/** Makes a new ticket, which is secret. */
export function makeTicket(
  { identity, clock, ids }: Pick<Context, 'identity' | 'clock' | 'ids'>,
  { id }: Pick<Actor, 'id'>,
): { readonly ticket: string; readonly expiresAt: number } {
  const expiresAt = clock.now() + GOOD_MS;
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(hexOf(id), 0, 'hex');
  payload.write(hexOf(ids.uuid()), 16, 'hex');
  payload.writeBigUInt64BE(BigInt(expiresAt), 32);
  const ticket = Buffer.concat([payload, identity.seal('event ticket', payload)]).toString('base64url');
  return { ticket, expiresAt };
}

/** Uses up a ticket. @returns its owner; null for a foreign, used or expired ticket, or one whose token has expired. */
export async function useTicket(ctx: Context, ticket: string): Promise<Actor | null> {
  const { identity, clock, ids, store } = ctx;
  const bytes = Buffer.from(ticket, 'base64url');
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const isOurs =
    ticket.length === TICKET_CHARS &&
    bytes.length === PAYLOAD_BYTES + SEAL_BYTES &&
    timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), identity.seal('event ticket', payload));
  if (!isOurs || clock.now() >= Number(payload.readBigUInt64BE(32))) return null;
  const id = payload.toString('hex', 0, 16);
  const token = (await store.listApiTokens()).find((one) => hexOf(one.id) === id);
  if (token === undefined) return null;
  // The key of a client has no space. Each use is a request of its own, and the first one keeps the key.
  const key = `ticket ${payload.toString('hex', 16, 32)}`;
  const use = { caller: token.id, key, id: ids.uuid(), requestSha256: ids.uuid(), now: clock.now() };
  return (await store.claimKey(use)).kind === 'open' ? actorOfToken(ctx, token) : null;
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}
