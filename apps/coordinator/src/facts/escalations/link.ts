/**
 * Links by which one person answers one asking of one question, for a day. A link is sealed, so that no replica has to keep it, and a
 * notice that is shown again has the same rights as before (docs/adr/0022).
 */
import { timingSafeEqual } from 'node:crypto';
import type { Refusal } from '@drover/api';
import type { Context } from '../../context/context.ts';

/** How long a link is good, in milliseconds. Source: docs/escalations.md. */
const GOOD_MS = 24 * 3_600_000;
const PAYLOAD_BYTES = 40;
const SEAL_BYTES = 32;
/** Base64url without padding. */
const TOKEN_CHARS = ((PAYLOAD_BYTES + SEAL_BYTES) * 4) / 3;

/** What a link is for. */
export interface LinkClaim {
  /** The id of the question. */
  readonly escalation: string;
  /** The asking that its reader was shown. */
  readonly asked: number;
  /** The id of the person as whom it answers. */
  readonly person: string;
}

type Sealing = Pick<Context, 'identity' | 'clock'>;

/** The address of the page that answers; undefined where the coordinator does not know its own, or where its reader is not known. */
export function linkOf(
  ctx: Sealing & Pick<Context, 'publicUrl'>,
  { person, ...claim }: Omit<LinkClaim, 'person'> & { readonly person: string | null },
): string | undefined {
  const { publicUrl } = ctx;
  if (publicUrl === undefined || person === null) return undefined;
  return `${publicUrl.replace(/\/$/u, '')}/v1/actions?token=${tokenOf(ctx, { ...claim, person })}`;
}

/** The part of a link that acts. Secret. */
export function tokenOf({ identity, clock }: Sealing, { escalation, asked, person }: LinkClaim): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(hexOf(escalation), 0, 'hex');
  payload.write(hexOf(person), 16, 'hex');
  payload.writeUInt32BE(asked, 32);
  payload.writeUInt32BE(Math.ceil((clock.now() + GOOD_MS) / 1_000), 36);
  return Buffer.concat([payload, identity.seal('action link', payload)]).toString('base64url');
}

/** What a link is for. Refused with `not-found` when it is not ours, and `over` after a day. */
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
  if (!isOurs) return { kind: 'refused', code: 'not-found', message: 'This link is not whole, or not of this fleet' };
  if (clock.now() >= payload.readUInt32BE(36) * 1_000)
    return {
      kind: 'refused',
      code: 'over',
      message: 'This link is older than a day: answer at a terminal or in a chat',
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

/** The request of every link for this asking and person: what one of them has answered, the others cannot answer again. X3. */
export function requestOf({ identity }: Pick<Context, 'identity'>, { escalation, asked, person }: LinkClaim): string {
  const seal = identity.seal('action request', Buffer.from(`${escalation} ${asked} ${person}`));
  // Version 8: of one's own making.
  seal.writeUInt8((seal.readUInt8(6) & 0x0f) | 0x80, 6);
  seal.writeUInt8((seal.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(seal.subarray(0, 16));
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** @param bytes 16 of them. */
function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}
