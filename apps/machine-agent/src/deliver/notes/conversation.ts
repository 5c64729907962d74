/** Keeps which conversation of the program took a text of Drover's. */
import { messageOf } from '@drover/base';
import type { DeliveryContext } from '../../execute/tools.ts';
import { keepProgramId } from '../../store/conversation-names.ts';
import type { Deliver } from '../attempt.ts';

/**
 * Keeps it for the next start, which takes up that one. A failure is only logged: the text was taken.
 *
 * @param id The program's own id of the conversation.
 */
export async function keepConversation(
  { knownWorkers, conversationNames, settings, log }: DeliveryContext,
  { incarnation }: Deliver,
  id: string,
): Promise<void> {
  const life = knownWorkers.incarnationOf(incarnation);
  if (life === undefined) return;
  await keepProgramId(conversationNames, settings.workerId, { conversation: life.conversation, id }).catch(
    (error: unknown) => log('info', `The conversation of "${settings.name}" was not kept: ${messageOf(error)}`),
  );
}
