/**
 * Polls one life of a pane for as long as somebody watches it, and reports its screen. All watchers of the same life share the looks. The
 * output holds no secret, and no sequences but colours.
 */
import type { LocalClock } from '@drover/base';
import type { Redactor } from '@drover/protocol';
import { RowReader, rowText } from '@drover/screen';
import type { PaneAddress, PaneState, TmuxServer } from '@drover/tmux';

/** Milliseconds between looks while the screen changes: twenty frames a second look smooth, and cost tmux 2 % of a core. */
const BUSY_MS = 50;
/** Milliseconds between looks at a screen that stands still, and after which it counts as one. */
const QUIET_MS = 150;
const QUIET_AFTER_MS = 2_000;
/** Milliseconds before the looks that follow keys: the program draws its answer at once, so they are closer. */
const AFTER_KEYS_MS = [4, 8, 12, 16, 24, 40] as const;
/** Looks that may fail in a row: tmux is busy, or its connection is being made again. */
const FAILURES_MAX = 20;

/** Screen at one moment. */
export interface SeenScreen {
  readonly columns: number;
  readonly lines: readonly string[];
  /** Null: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** Reason why there is nothing more to see. */
export interface ScreenEnd {
  readonly code: 'pane-gone' | 'pane-dead' | 'unreadable';
  readonly message: string;
}

/** Called with every change, from the first look on. */
export interface ScreenListener {
  /** True while it can show nothing newer: its frames are on their way. */
  isBehind(): boolean;
  show(screen: SeenScreen): void;
  ended(end: ScreenEnd): void;
}

interface WatchParts {
  readonly server: Pick<TmuxServer, 'capture'>;
  readonly pane: PaneAddress;
  readonly redactor: Pick<Redactor, 'screen'>;
  readonly clock: LocalClock;
  /** Called when no person watches any more, or there is nothing more to see. */
  readonly onOver: () => void;
}

/** Watches while it has listeners, and is of no use after that. */
export class ScreenWatch {
  readonly #parts: WatchParts;
  readonly #listeners = new Set<ScreenListener>();
  readonly #reader = new RowReader();
  #screen: SeenScreen | null = null;
  #bytes: Uint8Array | null = null;
  #facts: PaneState | null = null;
  #changedAt: number;
  #soon: readonly number[] = [];
  #cancel: (() => void) | null = null;
  #looking = false;
  #failures = 0;
  #isOver = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#changedAt = parts.clock.elapsed();
  }

  /** Adds a listener. @returns a function that removes it. */
  add(listener: ScreenListener): () => void {
    this.#listeners.add(listener);
    if (this.#screen !== null) listener.show(this.#screen);
    if (!this.#looking && this.#cancel === null) void this.#capture();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  }

  /** Looks more often for a while: somebody has typed, and the answer is about to be drawn. */
  expectChange(): void {
    this.#soon = AFTER_KEYS_MS;
    this.#changedAt = this.#parts.clock.elapsed();
    if (!this.#looking) this.#next();
  }

  async #capture(): Promise<void> {
    const { server, pane } = this.#parts;
    this.#looking = true;
    try {
      const outcome = await server.capture(pane, { colours: true });
      this.#failures = 0;
      if (outcome.kind === 'pane-gone') this.#end('pane-gone');
      else {
        const { facts, bytes, ansi = '' } = outcome.capture;
        this.#see(facts, { bytes, ansi });
        if (facts.dead) this.#end('pane-dead');
      }
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= FAILURES_MAX) this.#end('unreadable', error);
    }
    this.#looking = false;
    this.#next();
  }

  #see(facts: PaneState, { bytes, ansi }: { readonly bytes: Uint8Array; readonly ansi: string }): void {
    if (
      this.#facts !== null &&
      this.#bytes !== null &&
      isSame(this.#facts, facts) &&
      Buffer.compare(this.#bytes, bytes) === 0
    )
      return;
    this.#facts = facts;
    this.#bytes = bytes;
    this.#changedAt = this.#parts.clock.elapsed();
    const { width, cursor, inMode } = facts;
    const lines = this.#reader.rows(this.#parts.redactor.screen(ansi, width)).map(rowText);
    this.#screen = { columns: width, lines, cursor: cursor.visible && !inMode ? { x: cursor.x, y: cursor.y } : null };
    for (const listener of this.#listeners) listener.show(this.#screen);
  }

  #next(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#isOver || this.#listeners.size === 0) return;
    const [soon, ...later] = this.#soon;
    this.#soon = later;
    const isQuiet = this.#parts.clock.elapsed() - this.#changedAt > QUIET_AFTER_MS;
    this.#cancel = this.#parts.clock.after(soon ?? (isQuiet ? QUIET_MS : BUSY_MS), () => {
      this.#cancel = null;
      // A look that nobody can be shown costs tmux and this machine as much as another.
      if ([...this.#listeners].every((listener) => listener.isBehind())) this.#next();
      else void this.#capture();
    });
  }

  #end(code: ScreenEnd['code'], cause?: unknown): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    this.#close();
    for (const listener of listeners)
      listener.ended({ code, message: `${WHY[code]}${cause === undefined ? '' : `: ${String(cause)}`}` });
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#parts.onOver();
  }
}

const WHY: Readonly<Record<ScreenEnd['code'], string>> = {
  'pane-gone': 'its session has ended or was started again',
  'pane-dead': 'its program has ended',
  unreadable: 'its screen cannot be read',
};

function isSame(one: PaneState, other: PaneState): boolean {
  return (
    one.width === other.width &&
    one.height === other.height &&
    one.inMode === other.inMode &&
    one.cursor.x === other.cursor.x &&
    one.cursor.y === other.cursor.y &&
    one.cursor.visible === other.cursor.visible
  );
}
