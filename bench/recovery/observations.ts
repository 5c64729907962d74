// Draws what the machine of a fleet would say next, from what really may follow each worker's state.
import type { Worker } from '@drover/core';
import type { ObservationBody } from '@drover/protocol';
import { likelyEvent } from './likely-event.ts';

/** Lanes of `likelyEvent`, out of 10: results of commands below 5, screens from 5, ends of programs from 8. */
const RESULT = 0;
const SCREEN = 5;
const EXIT = 8;
/** Shares of a hundred observations: mostly screens, as of a fleet at work. */
const OF_HUNDRED = { exits: 4, results: 26 };

/** An observation of this worker. `chance` and `pick` are in [0, 1). */
export function nextObservation(
  { id, worker }: { id: string; worker: Worker },
  { now, chance, pick, commandId }: { now: number; chance: number; pick: number; commandId: string },
): ObservationBody | null {
  const at = chance * 100;
  const isResult = at < OF_HUNDRED.exits + OF_HUNDRED.results && worker.command.inFlight !== null;
  const [lane, width] = at < OF_HUNDRED.exits ? [EXIT, 0.5] : isResult ? [RESULT, 1] : [SCREEN, 1];
  const event = likelyEvent(worker, now, (lane + pick * width) / 10);
  switch (event.kind) {
    case 'screen-seen':
      return { kind: 'screen', workerId: id, incarnation: event.incarnation, reading: event.reading };
    case 'pane-exited':
      return { kind: 'exit', workerId: id, exit: event.exit };
    case 'command-finished':
      return { kind: 'result', workerId: id, commandId, seq: event.seq, result: event.result };
    default:
      return null;
  }
}
