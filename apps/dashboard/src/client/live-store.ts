/** Holds the fleet for all pages of a tab, over one WebSocket; where none passes, such as before functions, it asks every few seconds. */
import type { LiveMessage } from '@drover/api';
import { NO_ROWS, STALE_AFTER_MS, takeMessage } from '../fleet/rows.ts';
import type { Fleet, LineState } from '../fleet/rows.ts';
import { api, isSignedOut } from './api.ts';
import * as browserAdapter from './browser-adapter.ts';
import type { Socket } from './browser-adapter.ts';

/** Milliseconds until the next try, by the number of tries that failed in a row. */
const RETRY_MS = [500, 1_000, 2_000, 5_000];
/** Failed tries after which the rows are asked for instead. */
const TRIES_BEFORE_ASKING = 3;
const ASK_EVERY_MS = 5_000;
/** Milliseconds without a word after which a page that was shown again takes its line for dead: the coordinator speaks every 5 s. */
const SILENT_MS = 7_000;
const QUESTIONS_MAX = 200;

type Browser = Pick<typeof browserAdapter, 'later' | 'now' | 'onWake' | 'openSocket' | 'within'>;

/** The fleet as it is now, and its followers in this tab. */
export class LiveStore {
  readonly #browser: Browser;
  #fleet: Fleet = NO_ROWS;
  readonly #changed = new Set<() => void>();
  #socket: Socket | null = null;
  /** Prevents the next try, or, while there is a line, its end when it is silent. */
  #cancel: (() => void) | null = null;
  #stopWaking: (() => void) | null = null;
  /** When the line was asked for, or heard last. */
  #aliveAt = 0;
  #failed = 0;

  constructor(browser: Browser = browserAdapter) {
    this.#browser = browser;
  }

  readonly read = (): Fleet => this.#fleet;

  /** Connects with the first follower, and disconnects with the last. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#changed.add(changed);
    if (this.#changed.size === 1) {
      this.#stopWaking = this.#browser.onWake(() => this.#wake());
      this.#connect();
    }
    return () => {
      this.#changed.delete(changed);
      if (this.#changed.size > 0) return;
      this.#stopWaking?.();
      this.#disconnect();
    };
  };

  /** The coordinator's time now, as far as the rows tell. */
  readonly time = (): number => {
    const { at, heardAt } = this.#fleet;
    return this.#browser.now() + (at === null || heardAt === null ? 0 : at - heardAt);
  };

  #connect(): void {
    this.#failed += 1;
    const socket = this.#browser.openSocket('/live', {
      onMessage: (message) => {
        if (this.#socket !== socket) return;
        const opened = this.#fleet.opened + (this.#failed > 0 ? 1 : 0);
        this.#failed = 0;
        this.#endIfSilent();
        const fleet: Fleet = { ...this.#fleet, opened, line: { kind: 'open', by: 'socket' } };
        this.#set(takeMessage(fleet, message as LiveMessage, this.#browser.now()));
      },
      onClose: () => {
        // A follower may have left and another one come, with a new line.
        if (this.#socket === socket) this.#lose();
      },
    });
    this.#socket = socket;
    this.#endIfSilent();
  }

  /** A phone that slept, or a network that changed, leaves lines that are dead and never close. */
  #endIfSilent(): void {
    this.#aliveAt = this.#browser.now();
    this.#cancel?.();
    this.#cancel = this.#browser.later(STALE_AFTER_MS, () => this.#lose());
  }

  #lose(): void {
    this.#disconnect();
    if (this.#fleet.line.kind === 'over') return;
    this.#line({ kind: this.#fleet.at === null ? 'connecting' : 'lost' });
    if (this.#failed >= TRIES_BEFORE_ASKING) void this.#ask();
    else this.#cancel = this.#browser.later(RETRY_MS[this.#failed] ?? ASK_EVERY_MS, () => this.#connect());
  }

  /** Tries at once instead of in its turn. */
  #wake(): void {
    const isAlive = this.#socket !== null && this.#browser.now() - this.#aliveAt < SILENT_MS;
    if (isAlive || this.#fleet.line.kind === 'over') return;
    this.#disconnect();
    this.#failed = 0;
    this.#connect();
  }

  /** Asks once, and tries the WebSocket again after a while. */
  async #ask(): Promise<void> {
    try {
      const signal = this.#browser.within(STALE_AFTER_MS);
      const [workers, questions] = await Promise.all([
        api.workers.list.query(undefined, { signal }),
        api.escalations.list.query({ all: false, limit: QUESTIONS_MAX }, { signal }),
      ]);
      if (this.#socket !== null) return undefined;
      const message: LiveMessage = { kind: 'snapshot', at: this.time(), workers, questions };
      this.#set(takeMessage({ ...this.#fleet, line: { kind: 'open', by: 'asking' } }, message, this.#browser.now()));
    } catch (error) {
      if (isSignedOut(error)) return this.#line({ kind: 'over', message: 'This browser is not signed in any more' });
      if (this.#socket === null) this.#line({ kind: this.#fleet.at === null ? 'connecting' : 'lost' });
    }
    if (this.#changed.size > 0 && this.#socket === null)
      this.#cancel = this.#browser.later(ASK_EVERY_MS, () => this.#connect());
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
