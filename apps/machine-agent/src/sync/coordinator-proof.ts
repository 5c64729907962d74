/** Does the answer to a challenge come from the holder of the key that it names, and is it the answer to this very question? */
import { createPublicKey, verify } from 'node:crypto';
import { challengeMessage, type ChallengeAnswer, type ChallengeRequest } from '@drover/protocol';

/** False too for an identity that is no key. */
export function isProvenBy({ nonce, coordinator, signature }: ChallengeAnswer, question: ChallengeRequest): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: coordinator }, format: 'jwk' });
    const message = Buffer.from(challengeMessage(question, nonce));
    return verify(null, message, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
