/**
 * Shows cards in one chat service, a few at once. The bot asks for further work meanwhile, which keeps its lease
 * however slow the service is: no other process shows the same cards. A chat whose service asks for a pause gets it,
 * and other chats continue.
 */
import type { Delivery } from '@drover/protocol/channels';
import type { Shown } from './channel.ts';
import { pause } from '@drover/base';
import type { Nature } from './ports.ts';

/** Cards that are shown in parallel; services accept few per second from one bot. */
const SHOWN_AT_ONCE = 5;
/**
 * The longest pause of a chat here, in milliseconds: shorter than the time for which the coordinator leaves cards to a
 * bot. The coordinator waits for the rest.
 */
const PAUSE_MAX_MS = 20_000;

/** Shows a card, and reports to the coordinator. Neither function rejects. */
export interface ShowParts {
  show(delivery: Delivery): Promise<Shown>;
  report(delivery: Delivery, shown: Shown): Promise<void>;
}

/** Shows the cards of one channel. */
export class Showing {
  readonly #nature: Pick<Nature, 'clock'>;
  readonly #parts: ShowParts;
  readonly #signal: AbortSignal;
  readonly #waiting: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** Cards whose result the coordinator does not know yet. */
  readonly #inHand = new Set<string>();
  /** Shown cards whose report is on its way to the coordinator. */
  readonly #shown = new Map<string, Delivery>();
  readonly #paused = new Set<string>();

  constructor(nature: Pick<Nature, 'clock'>, parts: ShowParts, signal: AbortSignal) {
    this.#nature = nature;
    this.#parts = parts;
    this.#signal = signal;
  }

  /**
   * Adds cards. A card that is being shown, and was sent again because it takes long, is not shown twice; a waiting
   * card is shown in its newest version.
   */
  add(deliveries: readonly Delivery[]): void {
    for (const one of deliveries) {
      const waiting = this.#waiting.findIndex((other) => keyOf(other) === keyOf(one));
      if (waiting >= 0) this.#waiting[waiting] = one;
      else if (!this.#inHand.has(keyOf(one)) && !this.#isShown(one)) {
        this.#inHand.add(keyOf(one));
        this.#waiting.push(one);
      }
    }
    this.#begin();
  }

  /** True if a card was sent again before its report reached the coordinator. */
  #isShown(one: Delivery): boolean {
    const shown = this.#shown.get(keyOf(one));
    return shown !== undefined && shown.card.version === one.card.version && shown.pings === one.pings;
  }

  /** Drops waiting cards, because another process has the work. */
  drop(): void {
    for (const one of this.#waiting.splice(0)) this.#inHand.delete(keyOf(one));
  }

  /** Resolves when no card is in progress. */
  async end(): Promise<void> {
    this.drop();
    await Promise.all(this.#underWay);
  }

  #begin(): void {
    while (!this.#signal.aborted && this.#underWay.size < SHOWN_AT_ONCE) {
      const at = this.#waiting.findIndex(({ address }) => !this.#paused.has(address));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      const run = this.#show(next).finally(() => {
        this.#underWay.delete(run);
        this.#begin();
      });
      this.#underWay.add(run);
    }
  }

  async #show(delivery: Delivery): Promise<void> {
    const shown = await this.#parts.show(delivery);
    if (shown.kind === 'failed' && shown.retryAfterMs !== null) void this.#pause(delivery.address, shown.retryAfterMs);
    // After the report the coordinator may send the card again: a newer version, or after a failure.
    this.#inHand.delete(keyOf(delivery));
    if (shown.kind === 'shown') this.#shown.set(keyOf(delivery), delivery);
    await this.#parts.report(delivery, shown).finally(() => this.#shown.delete(keyOf(delivery)));
  }

  async #pause(address: string, ms: number): Promise<void> {
    if (this.#paused.has(address)) return;
    this.#paused.add(address);
    await pause(this.#nature.clock, Math.min(ms, PAUSE_MAX_MS), this.#signal);
    this.#paused.delete(address);
    this.#begin();
  }
}

function keyOf({ address, card }: Delivery): string {
  return `${card.escalation} ${address}`;
}
