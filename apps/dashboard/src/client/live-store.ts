/** Holds the fleet for all pages of a tab, over one WebSocket; where none passes, such as before functions, it asks every few seconds. */
import type { LiveMessage } from '@drover/api';
import { NO_ROWS, takeMessage } from '../fleet/rows.ts';
import type { Fleet, LineState } from '../fleet/rows.ts';
import { api, isSignedOut } from './api.ts';
import { later, now, openSocket } from './browser-adapter.ts';
import type { Socket } from './browser-adapter.ts';

/** Milliseconds until the next try, by the number of tries that failed in a row. */
const RETRY_MS = [500, 1_000, 2_000, 5_000];
/** Failed tries after which the rows are asked for instead. */
const TRIES_BEFORE_ASKING = 3;
const ASK_EVERY_MS = 5_000;
const QUESTIONS_MAX = 200;

/** The fleet as it is now, and its followers in this tab. */
export class LiveStore {
  #fleet: Fleet = NO_ROWS;
  readonly #changed = new Set<() => void>();
  #socket: Socket | null = null;
  #cancel: (() => void) | null = null;
  #failed = 0;

  readonly read = (): Fleet => this.#fleet;

  /** Connects with the first follower, and disconnects with the last. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#changed.add(changed);
    if (this.#changed.size === 1) this.#connect();
    return () => {
      this.#changed.delete(changed);
      if (this.#changed.size === 0) this.#disconnect();
    };
  };

  /** The coordinator's time now, as far as the rows tell. */
  readonly time = (): number => {
    const { at, heardAt } = this.#fleet;
    return now() + (at === null || heardAt === null ? 0 : at - heardAt);
  };

  #connect(): void {
    let isOpen = false;
    const socket = openSocket('/live', {
      onMessage: (message) => {
        isOpen = true;
        this.#failed = 0;
        this.#set(takeMessage({ ...this.#fleet, line: { kind: 'open', by: 'socket' } }, message as LiveMessage, now()));
      },
      onClose: () => {
        // A follower may have left and another one come, with a new line.
        if (this.#socket !== socket || this.#fleet.line.kind === 'over') return;
        this.#socket = null;
        if (!isOpen) this.#failed += 1;
        this.#line({ kind: this.#fleet.at === null ? 'connecting' : 'lost' });
        if (this.#failed >= TRIES_BEFORE_ASKING) void this.#ask();
        else this.#cancel = later(RETRY_MS[this.#failed] ?? ASK_EVERY_MS, () => this.#connect());
      },
    });
    this.#socket = socket;
  }

  /** Asks once, and tries the WebSocket again after a while. */
  async #ask(): Promise<void> {
    try {
      const [workers, questions] = await Promise.all([
        api.workers.list.query(),
        api.escalations.list.query({ all: false, limit: QUESTIONS_MAX }),
      ]);
      const message: LiveMessage = { kind: 'snapshot', at: this.time(), workers, questions };
      this.#set(takeMessage({ ...this.#fleet, line: { kind: 'open', by: 'asking' } }, message, now()));
    } catch (error) {
      if (isSignedOut(error)) return this.#line({ kind: 'over', message: 'This browser is not signed in any more' });
      this.#line({ kind: this.#fleet.at === null ? 'connecting' : 'lost' });
    }
    if (this.#changed.size > 0) this.#cancel = later(ASK_EVERY_MS, () => this.#connect());
    return undefined;
  }

  #disconnect(): void {
    this.#cancel?.();
    this.#cancel = null;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #line(line: LineState): void {
    this.#set({ ...this.#fleet, line });
  }

  #set(fleet: Fleet): void {
    this.#fleet = fleet;
    for (const changed of this.#changed) changed();
  }
}
