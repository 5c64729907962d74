/** Names the tokens that a process makes at its start, and tells when such a token has expired. */
import type { ApiToken } from '@drover/store';
import type { Context } from './context.ts';
import { sha256 } from './sha256.ts';

/** Digits of the secret's SHA-256 that tell tokens of one name apart. */
const DIGITS = 8;

/** A token that a process makes at its start. `kept`: others with the same secret share it. */
interface StartSecret {
  readonly name: string;
  readonly secret: string;
  readonly kept?: boolean;
}

/** Names the row of such a token. No token of a person has a colon in its name. */
export function startTokenName({ name, secret, kept = false }: StartSecret): string {
  return `${name}:${kept ? SHARED : ''}${sha256(secret).slice(0, DIGITS)}`;
}

const SHARED = 'shared-';
const NAME = new RegExp(`:(?:${SHARED})?[0-9a-f]{${DIGITS}}$`, 'u');

/** Tells whether a process made this token. The process renews its token, so nobody is warned that it expires. */
export function isOfAProcess({ name }: Pick<ApiToken, 'name'>): boolean {
  return NAME.test(name);
}

/**
 * Tells whether a token has expired. A token of this process is valid while the process lives: a computer that slept for an hour, or
 * whose clock was set, must not lock its person out until the next renewal. Another process's token is not valid here.
 */
export function isOver(
  { clock, ownTokens = [] }: Pick<Context, 'clock' | 'ownTokens'>,
  { name, expiresAt }: { readonly name: string; readonly expiresAt: number | null },
): boolean {
  if (ownTokens.includes(name)) return false;
  if (isOfAProcess({ name }) && !name.includes(`:${SHARED}`)) return true;
  return expiresAt !== null && expiresAt <= clock.now();
}
