/** Passes on actions of people until they are stored. X1: nothing is acknowledged before. */
import type { PressOutcome, SaidAnswer } from '@drover/protocol/channels';
import type { Desk } from '../channel.ts';
import { pause } from '@drover/base';
import { backoffMs } from '../ports.ts';
import type { Nature } from '../ports.ts';
import { CallError } from './client.ts';
import type { Coordinator } from './client.ts';

/** Answer in place of the coordinator's, if it can never parse the call: it is newer or older. */
const UNREAD = 'Drover could not carry this out. The log of the bot says why.';

/** Makes a desk that retries while the coordinator is away. */
export function createDesk(nature: Nature, coordinator: Coordinator, signal: AbortSignal): Desk {
  const stored = async <T>(call: () => Promise<T>, unread: T): Promise<T> => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await call();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof CallError)) throw error;
        if (error.failure === 'refused') {
          nature.log('error', error.message);
          return unread;
        }
        if (failures === 0)
          nature.log('warn', `${error.message}. The chat service keeps the messages, and the bot retries`);
        await pause(nature.clock, backoffMs(failures, nature.random), signal);
        signal.throwIfAborted();
      }
    }
  };
  const said: SaidAnswer = { isDone: false, says: UNREAD, buttons: [] };
  const notTaken: PressOutcome = { kind: 'not-allowed', says: UNREAD };
  return {
    press: (request) => stored(() => coordinator.press(request), notTaken),
    link: (request) => stored(() => coordinator.link(request), said),
    command: (request) => stored(() => coordinator.command(request), said),
    move: (request) => stored(() => coordinator.move(request), undefined),
  };
}
