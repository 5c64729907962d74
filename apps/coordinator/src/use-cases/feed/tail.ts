/** Tails the announcements, read once for all followers: a thousand listeners cost one reader. Reads only while somebody follows. */
import type { Clock, Log } from '@drover/base';
import type { AnnouncementPage, AnnouncementRow, Store } from '@drover/store';
import { listenFor, Waiters } from '../../context/waiters.ts';
import type { Hint } from '../../context/waiters.ts';

/** Announcements that are kept in memory, about 1 MB: a follower further behind reads the database. */
const KEPT = 2_000;
/** Announcements that are read at once. */
const PAGE = 500;
/** Milliseconds to the next read without a hint: not every change gives one. */
const IDLE_MS = 500;
/** Milliseconds to the next read while a transaction is open whose announcements come first: most take less. */
const SETTLES_MS = 25;

export interface TailParts {
  readonly store: Pick<Store, 'followAnnouncements'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
  readonly events: Waiters;
}

/** Lets followers wait; keeps recent announcements in memory for followers near the end. */
export class FeedTail implements Disposable {
  readonly #parts: TailParts;
  readonly #end = new AbortController();
  #kept: AnnouncementRow[] = [];
  /** Cursor before the announcements in `#kept`, which reach up to `#through`. */
  #from = 0;
  #through = 0;
  #followers = 0;
  #isRunning = false;
  readonly #news = new Waiters();

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** Reads the announcements after the cursor, at most `limit`; null: from the place of a new follower. */
  async read(after: number | null, limit: number): Promise<AnnouncementPage> {
    if (!this.#isRunning || after === null || after < this.#from || after > this.#through)
      return this.#parts.store.followAnnouncements(after, limit);
    const first = firstAfter(this.#kept, after);
    const items = this.#kept.slice(first, first + limit);
    return { items, settled: this.#through, isBehind: false, isLost: false };
  }

  /** Resolves when announcements may follow the cursor, after `ms`, or when the signal fires. */
  async wait(after: number, { ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<void> {
    this.#followers += 1;
    try {
      if (!this.#isRunning) await this.#start();
      if (this.#through > after && firstAfter(this.#kept, after) < this.#kept.length) return;
      // A race with one promise of the next news would keep something of each wait until there are news.
      using news = this.#listen(this.#news, ms, signal);
      await news.heard;
    } finally {
      this.#followers -= 1;
    }
  }

  #listen(waiters: Waiters, ms: number, signal: AbortSignal): Hint {
    return listenFor(waiters, '*', { ms, after: (span, run) => this.#parts.clock.after(span, run), signal });
  }

  async #start(): Promise<void> {
    const { settled } = await this.#parts.store.followAnnouncements(null, 1);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#kept = [];
    this.#from = settled;
    this.#through = settled;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { events, log } = this.#parts;
    // A follower that asks again is away for a moment: the reader continues for a while.
    let idle = 0;
    while (!this.#end.signal.aborted && idle < IDLE_ROUNDS) {
      idle = this.#followers === 0 ? idle + 1 : 0;
      const listen = (ms: number): Hint => this.#listen(events, ms, this.#end.signal);
      using hint = listen(IDLE_MS);
      try {
        const page = await this.#parts.store.followAnnouncements(this.#through, PAGE);
        if (page.isLost) break;
        this.#take(page);
        if (page.items.length === PAGE) continue;
        using settled = page.isBehind ? listen(SETTLES_MS) : hint;
        await Promise.race([hint.heard, settled.heard]);
      } catch (error) {
        log('debug', `Cannot read the announcements: ${String(error)}`);
        await hint.heard;
      }
    }
    this.#isRunning = false;
    this.#tell();
  }

  #take({ items, settled }: AnnouncementPage): void {
    const last = items.at(-1);
    this.#through = items.length === PAGE ? (last?.id ?? this.#through) : Math.max(this.#through, settled);
    if (items.length === 0) return;
    this.#kept = [...this.#kept, ...items];
    if (this.#kept.length > KEPT) {
      this.#from = this.#kept.at(-KEPT - 1)?.id ?? this.#from;
      this.#kept = this.#kept.slice(-KEPT);
    }
    this.#tell();
  }

  #tell(): void {
    this.#news.wake('*');
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#tell();
  }
}

/** Rounds without a follower after which the reader stops: about a minute. */
const IDLE_ROUNDS = 120;

/** Finds the index of the first item after the cursor. Items are sorted. */
function firstAfter(items: readonly AnnouncementRow[], after: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.id ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
