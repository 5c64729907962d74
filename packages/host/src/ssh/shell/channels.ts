/** Counts the channels of a connection in use. Servers open ten and free them late, so Drover stays below. */
import { type LocalClock, pause } from '@drover/base';
import { CarrierError } from '../carrier.ts';

/** Channels of one connection that are open at once; killing may take one more. */
export const CHANNELS_MAX = 7;

/** Milliseconds between two attempts to open a channel that the server refused, and how often. */
const AGAIN_MS = 100;
const ATTEMPTS_MAX = 30;

/** `channel`: others may be closed for it; `room`: it waits for one that is free; `nothing`: where the server refuses it, there is none. */
type Needs = 'channel' | 'room' | 'nothing';

/** Counts channels and opens them again where the server refused: then nothing ran. */
export class ChannelBudget {
  readonly #clock: LocalClock;
  readonly #giveBack: () => void;
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  /** @param giveBack Closes a channel that is not needed now, if there is one: the server refused another. */
  constructor(clock: LocalClock, giveBack: () => void) {
    this.#clock = clock;
    this.#giveBack = giveBack;
  }

  /** Tells whether another channel may be opened without waiting. */
  get hasRoom(): boolean {
    return this.#open < CHANNELS_MAX;
  }

  /**
   * Waits for room, and takes it until `ended` resolves.
   *
   * @param open Opens the channel.
   * @param needs Default: `room`.
   */
  async open<T>(open: () => Promise<T>, ended: (opened: T) => Promise<unknown>, needs: Needs = 'room'): Promise<T> {
    while (!this.hasRoom) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.take(open, ended, needs);
  }

  /** The same without waiting, for what must not wait. */
  async take<T>(open: () => Promise<T>, ended: (opened: T) => Promise<unknown>, needs: Needs = 'room'): Promise<T> {
    this.#open += 1;
    try {
      const opened = await this.#attempts(open, needs);
      void ended(opened).then(() => this.#free());
      return opened;
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  async #attempts<T>(open: () => Promise<T>, needs: Needs): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await open();
      } catch (error) {
        const isRefused = error instanceof CarrierError && error.reason === 'refused';
        if (!isRefused || attempt >= ATTEMPTS_MAX || needs === 'nothing') throw error;
        if (needs === 'channel') this.#giveBack();
        await pause(this.#clock, AGAIN_MS);
      }
    }
  }

  #free(): void {
    this.#open -= 1;
    this.#waiting.shift()?.();
  }
}
