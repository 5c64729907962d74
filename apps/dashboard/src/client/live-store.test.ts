import { expect, test } from 'vitest';
import { STALE_AFTER_MS } from '../fleet/rows.ts';
import type { Line } from './browser-adapter.ts';
import { LiveStore } from './live-store.ts';

/** A browser in which time passes by command, and a coordinator that says what a test says. */
class Page {
  readonly lines: (Line & { isClosed: boolean })[] = [];
  readonly store: LiveStore;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();
  #now = 0;
  #wake = (): void => undefined;

  constructor() {
    this.store = new LiveStore({
      now: () => this.#now,
      later: (ms, run) => {
        const timer = { at: this.#now + ms, run };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
      within: () => new AbortController().signal,
      onWake: (run) => {
        this.#wake = run;
        return () => (this.#wake = (): void => undefined);
      },
      openSocket: (_path, line) => {
        const opened = { ...line, isClosed: false };
        this.lines.push(opened);
        return { send: () => undefined, close: () => void (opened.isClosed = true) };
      },
    });
    this.store.subscribe(() => undefined);
    this.alive();
  }

  /** The newest line says that it lives. */
  alive(): void {
    this.lines.at(-1)?.onMessage({ kind: 'alive', at: this.#now });
  }

  /** @param isAsleep Timers do not run, as on a phone that is in a pocket. */
  pass(ms: number, isAsleep = false): void {
    this.#now += ms;
    if (isAsleep) return;
    for (const timer of this.#timers)
      if (timer.at <= this.#now) {
        this.#timers.delete(timer);
        timer.run();
      }
  }

  wake(): void {
    this.#wake();
  }
}

test('given a line that dies and never closes, when it is silent for 15 seconds, then a new one takes its place, and panes are told', () => {
  const page = new Page();
  const { opened } = page.store.read();

  page.pass(STALE_AFTER_MS);
  expect(page.lines[0]?.isClosed).toBe(true);
  expect(page.store.read().line.kind).toBe('lost');
  page.pass(500);
  expect(page.lines).toHaveLength(2);
  page.alive();

  expect(page.store.read()).toMatchObject({ line: { kind: 'open' }, opened: opened + 1 });
});

test('given a phone that slept, when the page is shown again, then it connects at once, and only once', () => {
  const page = new Page();

  page.pass(60_000, true);
  for (let signs = 0; signs < 3; signs += 1) page.wake();

  expect(page.lines.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('given a line that is heard, when the page is shown again, then the line stays', () => {
  const page = new Page();

  for (let at = 0; at < 30; at += 5) {
    page.pass(5_000);
    page.alive();
  }
  page.wake();

  expect(page.lines.map(({ isClosed }) => isClosed)).toEqual([false]);
});

test('given a line that was given up, when it closes or speaks late, then the new one is left alone', () => {
  const page = new Page();
  page.pass(60_000, true);
  page.wake();

  page.lines[0]?.onMessage({ kind: 'over', message: 'an old word' });
  page.lines[0]?.onClose();

  expect(page.lines.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(page.store.read().line.kind).not.toBe('over');
});

test('given a line that was cut, when the network is back before the next try, then the page does not wait for its turn', () => {
  const page = new Page();

  page.lines[0]?.onClose();
  expect(page.store.read().line.kind).toBe('lost');
  page.wake();

  expect(page.lines).toHaveLength(2);
});
