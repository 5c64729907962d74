// Decides what follows an attempt that did not deliver, as the policy does, up to the rung that starts the program again.
import { DEFAULT_POLICY, type CommandResult } from '@drover/core';
import type { Change, Receiver, BenchFleet } from './bench-fleet.ts';
import { sleep } from '../wait.ts';

/** The next attempt and the pause before it; null when there is none: the text was taken, or the ladder has ended. */
export type Next = { readonly waitMs: number; readonly change: Change } | null;

const { lostInput, partial, refused, command } = DEFAULT_POLICY;

/** Counts the attempts at one text. */
export class Ladder {
  readonly #fleet: BenchFleet;
  readonly #receiver: Receiver;
  #lost = 0;
  #partial = 0;
  #refused = 0;
  #failed = 0;
  /** The rung of the last loss. */
  #rung: Change = {};

  constructor(fleet: BenchFleet, receiver: Receiver) {
    this.#fleet = fleet;
    this.#receiver = receiver;
  }

  /** @param attempt How it differed, which stays so when it was refused; its number, by which a look asks what became of it. */
  async next(result: CommandResult, attempt: { readonly change: Change; readonly seq: number }): Promise<Next> {
    switch (result.kind) {
      case 'lost':
        return this.#afterLoss();
      case 'partial':
        this.#partial += 1;
        if (this.#partial > partial.attemptsMax) return this.#afterLoss();
        return { waitMs: partial.waitMs, change: { ...this.#rung, clearFirst: true } };
      case 'refused':
        this.#refused += 1;
        return this.#refused > refused.attemptsMax ? null : { waitMs: refused.waitMs, change: attempt.change };
      case 'failed':
        this.#failed += 1;
        if (!result.retry || this.#failed >= command.retry.attemptsMax) return null;
        return { waitMs: command.retry.waitMs, change: attempt.change };
      case 'unknown':
        return this.#afterObserving(attempt.seq);
      default:
        return null;
    }
  }

  #afterLoss(): Next {
    const rung = lostInput[this.#lost];
    this.#lost += 1;
    if (rung === undefined || rung.respawn) return null;
    this.#rung = { method: rung.method, settleMs: rung.settleMs };
    return { waitMs: rung.waitMs, change: this.#rung };
  }

  async #afterObserving(seq: number): Promise<Next> {
    let evidence = await this.#fleet.evidence(this.#receiver, seq);
    for (let looks = 1; evidence === 'unclear' && looks <= refused.attemptsMax; looks += 1) {
      await sleep(refused.waitMs);
      evidence = await this.#fleet.evidence(this.#receiver, seq);
    }
    switch (evidence) {
      case 'in-box-whole':
        return { waitMs: 0, change: { ...this.#rung, enterOnly: true } };
      case 'in-box-part':
        return { waitMs: 0, change: { ...this.#rung, clearFirst: true } };
      case 'absent':
        return { waitMs: 0, change: this.#rung };
      default:
        return null;
    }
  }
}
