/** Holds the identity of a coordinator: one Ed25519 key for all replicas of a database, which makes and recognizes challenges. */
import { createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual } from 'node:crypto';

/** Milliseconds within which a challenge must come back signed; clocks of replicas may differ by as much. */
const CHALLENGE_TTL_MS = 60_000;

/** Prefix of the seed in the form that Node reads a private key in: PKCS8 DER of Ed25519. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Parts that make a challenge unique. */
export interface Challenged {
  readonly machineId: string;
  /** Epoch of the machine when it was challenged; null for an unknown machine. A hello raises the epoch, which uses up the challenge. */
  readonly epoch: number | null;
}

/** Purpose of a seal. */
export type SealPurpose = 'action link' | 'action request' | 'event ticket' | 'sign-in ticket' | 'browser session';

/** Identity of a fleet, shared by its replicas. */
export interface FleetIdentity {
  /** Public key, 32 bytes in base64url: machines pin it, people compare it. */
  readonly id: string;
  /** Signs a text's UTF-8 bytes, base64. */
  sign(text: string): string;
  /** Makes a nonce that no replica has to remember. The nonce does not reveal the epoch. `random` is new each time. */
  challenge(challenged: Challenged, made: { readonly now: number; readonly random: string }): string;
  /** Tells whether a replica made this nonce for the machine in this epoch, within the last minute. */
  isChallenge(nonce: string, challenged: Challenged, now: number): boolean;
  /** Makes a seal of 32 bytes over `bytes`, which only replicas of this fleet can make. Each purpose has seals of its own. */
  seal(purpose: SealPurpose, bytes: Uint8Array): Buffer;
}

/** @param seed 32 bytes in base64url. */
export function createFleetIdentity(seed: string): FleetIdentity {
  const bytes = Buffer.from(seed, 'base64url');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, bytes]), format: 'der', type: 'pkcs8' });
  const { x: id = '' } = createPublicKey(key).export({ format: 'jwk' });
  const secret = createHmac('sha256', bytes).update('drover-challenge').digest();
  const authenticated = ({ machineId, epoch }: Challenged, stamp: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([machineId, epoch, stamp]))
      .digest('base64url');
  return {
    id,
    seal: (purpose, content) => {
      const own = createHmac('sha256', bytes).update(`drover ${purpose}`).digest();
      return createHmac('sha256', own).update(content).digest();
    },
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
    challenge: (challenged, { now, random }) => {
      const stamp = `${now.toString(36)}.${random}`;
      return `${stamp}.${authenticated(challenged, stamp)}`;
    },
    isChallenge: (nonce, challenged, now) => {
      const [madeAt = '', random = '', mac = ''] = nonce.split('.');
      const expected = Buffer.from(authenticated(challenged, `${madeAt}.${random}`));
      const given = Buffer.from(mac);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && Math.abs(now - Number.parseInt(madeAt, 36)) <= CHALLENGE_TTL_MS;
    },
  };
}
