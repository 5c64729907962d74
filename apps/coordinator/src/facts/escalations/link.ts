/**
 * Makes links by which one person answers one asking of one question, for a day. A link is sealed, so that no replica has to keep it, and
 * a notice that is shown again has the same rights as before (docs/adr/0022).
 */
import { timingSafeEqual } from 'node:crypto';
import type { Refusal } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { shortIdOf } from './view.ts';

/** Milliseconds for which a link is valid. Source: docs/escalations.md. */
const GOOD_MS = 24 * 3_600_000;
const PAYLOAD_BYTES = 40;
const SEAL_BYTES = 32;
/** Length in base64url without padding. */
const TOKEN_CHARS = ((PAYLOAD_BYTES + SEAL_BYTES) * 4) / 3;

/** Claims that a link carries. */
export interface LinkClaim {
  /** Id of the question. */
  readonly escalation: string;
  /** Number of the asking that the reader was shown. */
  readonly asked: number;
  /** Id of the person who answers by the link. */
  readonly person: string;
}

type Sealing = Pick<Context, 'identity' | 'clock'>;

/** Builds the address of the page that answers; undefined if the coordinator does not know its own address, or the reader is unknown. */
export function linkOf(
  ctx: Sealing & Pick<Context, 'publicUrl'>,
  { person, ...claim }: Omit<LinkClaim, 'person'> & { readonly person: string | null },
): string | undefined {
  const { publicUrl } = ctx;
  if (publicUrl === undefined || person === null) return undefined;
  return `${publicUrl.replace(/\/$/u, '')}/v1/actions?token=${tokenOf(ctx, { ...claim, person })}`;
}

/** Builds the address of a question on the dashboard. It holds no secret; undefined if the coordinator does not know its own address. */
export function pageOfQuestion({ publicUrl }: Pick<Context, 'publicUrl'>, id: string): string | undefined {
  return publicUrl === undefined ? undefined : `${publicUrl.replace(/\/$/u, '')}/q/${shortIdOf(id)}`;
}

/** Makes the secret part of a link. */
export function tokenOf({ identity, clock }: Sealing, { escalation, asked, person }: LinkClaim): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(hexOf(escalation), 0, 'hex');
  payload.write(hexOf(person), 16, 'hex');
  payload.writeUInt32BE(asked, 32);
  payload.writeUInt32BE(Math.ceil((clock.now() + GOOD_MS) / 1_000), 36);
  return Buffer.concat([payload, identity.seal('action link', payload)]).toString('base64url');
}

/** Reads the claims of a link. Refuses a foreign link with `not-found`, and with `over` after a day. */
export function readToken(
  { identity, clock }: Sealing,
  token: string,
): { readonly kind: 'link'; readonly claim: LinkClaim } | Refusal {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const isOurs =
    token.length === TOKEN_CHARS &&
    bytes.length === PAYLOAD_BYTES + SEAL_BYTES &&
    timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), identity.seal('action link', payload));
  if (!isOurs)
    return { kind: 'refused', code: 'not-found', message: 'This link is incomplete, or belongs to another fleet' };
  if (clock.now() >= payload.readUInt32BE(36) * 1_000)
    return {
      kind: 'refused',
      code: 'over',
      message: 'This link has expired after a day: answer in a terminal or a chat',
    };
  return {
    kind: 'link',
    claim: {
      escalation: uuidOf(payload.subarray(0, 16)),
      person: uuidOf(payload.subarray(16, 32)),
      asked: payload.readUInt32BE(32),
    },
  };
}

/** Derives one request id for every link of this asking and person: after an answer by one link, the others cannot answer again. X3. */
export function requestOf({ identity }: Pick<Context, 'identity'>, { escalation, asked, person }: LinkClaim): string {
  const seal = identity.seal('action request', Buffer.from(`${escalation} ${asked} ${person}`));
  // Version 8: a custom scheme.
  seal.writeUInt8((seal.readUInt8(6) & 0x0f) | 0x80, 6);
  seal.writeUInt8((seal.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(seal.subarray(0, 16));
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** @param bytes Exactly 16 bytes. */
function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}
