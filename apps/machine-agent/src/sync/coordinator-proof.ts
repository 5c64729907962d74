/** Verifies that the answer to a challenge comes from the holder of the key that it names, and answers this very question. */
import { challengeMessage, type ChallengeAnswer, type ChallengeRequest } from '@drover/protocol';
import { isSignedBy } from '@drover/protocol/loopback';

/** Tells whether the signature is valid; false too for an identity that is no key. */
export function isProvenBy({ nonce, coordinator, signature }: ChallengeAnswer, question: ChallengeRequest): boolean {
  return isSignedBy(coordinator, challengeMessage(question, nonce), signature);
}
