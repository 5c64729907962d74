/**
 * Recognizes names and addresses of the computer itself, and proves who listens there. Any user may take a port that is free, so a client asks for
 * a proof before it sends a token. Loads no schemas, because every command asks.
 */
import { createPublicKey, verify } from 'node:crypto';

/** Tells whether a name or an address is this computer: for all that decide what may leave it, and who may come in. @param host A name, or an address with or without the brackets of IPv6; no port. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/iu.test(host);
}

/** The answer of `GET /agent/listener?salt=…`: who the listener is, and where the connection came in as it sees it, such as `127.0.0.1:4680`. */
export interface ListenerAnswer {
  /** Public key of the coordinator, 32 bytes in base64url. */
  readonly coordinator: string;
  readonly at: string;
  /** Signature of `listenerMessage(...)`, base64. */
  readonly signature: string;
}

/**
 * Returns the text that the listener signs. The text has `at`, because another program could hand the question on to the coordinator, and its
 * answer back.
 */
export function listenerMessage({ salt, at }: { readonly salt: string; readonly at: string }): string {
  return JSON.stringify(['drover-listener', salt, at]);
}

/** @returns null for what is no such answer, or does not prove that its coordinator listens there. */
export function readListener(answer: unknown, salt: string): ListenerAnswer | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { coordinator, at, signature } = answer as Partial<Record<keyof ListenerAnswer, unknown>>;
  if (typeof coordinator !== 'string' || typeof at !== 'string' || typeof signature !== 'string') return null;
  return isSignedBy(coordinator, listenerMessage({ salt, at }), signature) ? { coordinator, at, signature } : null;
}

/** Tells whether the coordinator of this identity signed the text. False too for an identity that is no key. */
export function isSignedBy(coordinator: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: coordinator }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
