/** Does the answer to a challenge come from the holder of the key that it names, and is it the answer to this very question? */
import { challengeMessage, type ChallengeAnswer, type ChallengeRequest } from '@drover/protocol';
import { isSignedBy } from '@drover/protocol/loopback';

/** False too for an identity that is no key. */
export function isProvenBy({ nonce, coordinator, signature }: ChallengeAnswer, question: ChallengeRequest): boolean {
  return isSignedBy(coordinator, challengeMessage(question, nonce), signature);
}
