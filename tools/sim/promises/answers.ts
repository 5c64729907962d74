// Checks the promises about answers of people: one wins, and a repeated one gets the same reply.
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '@drover/api';
import { makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';

const PROMISED = {
  won: 'of several answers to one asking one wins, and none to an earlier asking does (X2, X4)',
  reply: 'an answer that is repeated gets its first reply (X3)',
} as const;

/** Watches the replies to people's answers in one schedule. */
export class AnswerChecks {
  readonly #tally: Tally;
  readonly #replies = new Map<string, Outcome<unknown>>();
  /** Requests that won, by asking. */
  readonly #winners = new Map<string, string>();
  readonly #check: Check<typeof PROMISED>;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** Notes the reply to an answer. A refused non-answer is not kept, so it may get another reply later. */
  replied(requestId: string, reply: Outcome<unknown>): void {
    if (reply.kind === 'refused' && ['invalid', 'not-found'].includes(reply.code)) return;
    const first = this.#replies.get(requestId) ?? reply;
    const [one, other] = [first, reply].map((told) => JSON.stringify(told).slice(0, 200));
    // A database may give the fields back in another order.
    const isSame = isDeepStrictEqual(first, reply);
    this.#check('reply', isSame, `the answer ${requestId} was told ${one}, then ${other}`);
    this.#replies.set(requestId, first);
    if (reply.kind === 'ok') this.#checkWinner(requestId, reply.value);
  }

  #checkWinner(requestId: string, view: unknown): void {
    if (typeof view !== 'object' || view === null || !('id' in view) || !('asked' in view)) return;
    const asking = `${String(view.id)} asked ${String(view.asked)}`;
    const winner = this.#winners.get(asking) ?? requestId;
    this.#winners.set(asking, winner);
    this.#check('won', winner === requestId, `${asking}: ${winner} won, and ${requestId} too`);
  }
}
