/** Which orders that come in are carried out, which are refused, and what of those that a former life left behind? */
import type { OpResult } from '@drover/core';
import type { QueryResult, WireCommand } from '@drover/protocol';
import { kindOf, type Executor } from './execute/executor.ts';
import type { CrashPoint, Log } from './options.ts';
import type { Book } from './store/book.ts';
import { placeOf, type Journal } from './store/journal.ts';

/** What an intake needs. */
export interface IntakeOptions {
  readonly journal: Journal;
  readonly book: Book;
  readonly executor: Executor;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** Where orders come in. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * What the agent was carrying out when it ended has an unknown outcome: the coordinator looks, then decides on the
   * facts of now rather than on those of then. Call before anything is received.
   */
  concludeUnfinished(): void {
    for (const place of this.#options.journal.unfinished()) {
      const why = 'the machine agent ended before the outcome was recorded';
      const result: OpResult | QueryResult =
        place.seq === 0 ? { kind: 'failed', code: 'agent-restarted', message: why } : { kind: 'unknown', why };
      this.#options.journal.finish(place, result);
    }
  }

  /** Takes an order: on return it is in the journal. A repeat is answered, an outdated one refused. */
  receive(order: WireCommand, epoch: number): void {
    const { journal, book, executor, crashPoint, log } = this.#options;
    const receipt = journal.receive(order);
    if (receipt === 'known') return journal.answerAgain(order.id);
    crashPoint('received', kindOf(order));
    if (order.epoch < epoch) {
      return journal.finish(
        placeOf(order),
        refused('stale-epoch', `The order is of epoch ${order.epoch}, by now it is ${epoch}`),
      );
    }
    if (receipt === 'superseded') {
      log('debug', `Order ${order.id} came after a newer one for "${order.seat.name}"`);
      return journal.finish(placeOf(order), refused('superseded', 'A newer order for this worker came before it'));
    }
    // The seat of an inventory is that of no worker: it names the project alone.
    if (order.order.kind === 'op') book.rememberSeat(order.seat);
    executor.submit(order);
  }
}

function refused(code: string, message: string): OpResult & QueryResult {
  return { kind: 'failed', code, message, retry: true };
}
