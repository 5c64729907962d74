/** Coding agent in a pane for one life: it starts, takes texts, works, asks, fails, and ends, as chance decides. */
import { isAtWork } from '@drover/core';
import type { AgentErrorKind, AgentState, Composer } from '@drover/core';
import type { SeededRandom } from '../random.ts';
import type { Working } from './worktree.ts';
import { finishTurn, rebaseEnd, startDialog } from './turn.ts';
import type { ProgramEnd, TurnEnd, TurnProgram } from './turn.ts';
import type { VirtualTime } from '../virtual-time.ts';

/** Weights of each event, and probabilities where a comment says so. */
export interface ProgramLuck {
  readonly start: Readonly<Record<'ready' | 'slow' | 'trust' | 'other-dialog' | 'crash' | 'missing' | 'never', number>>;
  readonly turn: Readonly<Record<TurnEnd, number>>;
  readonly enter: Readonly<Record<'taken' | 'swallowed' | 'vanished' | 'late', number>>;
  /** Probability that a screen shows something else for a moment. */
  readonly lie: number;
}

/** Links of a program to the simulation around it. */
interface ProgramWorld {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: ProgramLuck;
  /** Called when the screen changed or the program ended. */
  readonly changed: () => void;
  /** Called when a turn began with this text. */
  readonly taken: (text: string) => void;
  /** Leaves work in the worktree, or resolves its conflicts. */
  readonly work: (how: Working) => void;
  readonly hasConflicts: () => boolean;
  /** Called when a tool failed and its hook wrote that down. */
  readonly toolFailed: () => void;
}

export class SimProgram implements TurnProgram {
  readonly incarnation: string;
  readonly conversation: string;
  readonly world: ProgramWorld;
  end: ProgramEnd | null = null;
  /** Text in the input box. */
  box = '';
  /** Rises with every word that the program says. */
  progress = 0;
  /** Time before which no request is answered. */
  limitedUntil = 0;
  #state: AgentState = { kind: 'starting' };
  #lie: AgentState | null = null;
  #isGone = false;
  /** True once this life has taken a text: later dialogs are not start dialogs. */
  #isAtWork = false;
  #screens = 0;
  #swallows = 0;
  #interrupts = 0;
  /** True while the program hangs: no key has any effect. */
  #isDeaf = false;
  readonly #queue: string[] = [];

  constructor(parts: { incarnation: string; conversation: string; world: ProgramWorld }) {
    this.incarnation = parts.incarnation;
    this.conversation = parts.conversation;
    this.world = parts.world;
    this.#start();
  }

  /** State that the screen shows, which may be a lie. */
  get screen(): AgentState {
    const shown = this.#lie ?? this.#state;
    return 'composer' in shown ? { ...shown, composer: this.#composer() } : shown;
  }

  /** True state, for checks. */
  get state(): AgentState {
    return this.#state;
  }

  get fingerprint(): string {
    return `${this.screen.kind} ${this.#screens}`;
  }

  /** Ends this program without a trace, because its pane is closed or its machine is gone. */
  vanish(): void {
    this.#isGone = true;
  }

  /** Ends the program from outside. */
  kill(end: ProgramEnd): void {
    if (this.end !== null) return;
    this.end = end;
    this.#isGone = true;
    this.world.changed();
  }

  /** Runs later in this turn, unless the program ended or was interrupted. */
  later(ms: number, run: () => void): void {
    const interrupts = this.#interrupts;
    this.#evenLater(ms, () => {
      if (interrupts === this.#interrupts) run();
    });
  }

  #evenLater(ms: number, run: () => void): void {
    this.world.time.after(ms, () => {
      if (!this.#isGone) run();
    });
  }

  show(state: AgentState): void {
    this.#state = state;
    this.#screens += 1;
    const { random, luck } = this.world;
    if (random.chance(luck.lie)) this.#showLie();
    this.world.changed();
  }

  ready(after: 'fresh' | 'completed' | 'asked' | 'interrupted'): void {
    this.show({ kind: 'ready', after, composer: NO_TEXT });
    this.#takeQueued();
  }

  fail(error: AgentErrorKind, recoverable: boolean, resets: string | null): void {
    this.show({ kind: 'error', error, recoverable, text: `${error} (simulated)`, resets, composer: NO_TEXT });
    if (!recoverable) this.#takeQueued();
  }

  type(text: string): void {
    this.box += text;
    this.world.changed();
  }

  clearBox(): void {
    this.box = '';
  }

  /**
   * Presses a key: Escape ends a turn, or a question. In a dialog other keys move the highlight or confirm; else Enter sends the box and any
   * other key clears it.
   */
  press(key: string): void {
    const state = this.#state;
    if (key === 'Escape' && (isAtWork(state) || ('dialog' in state && this.#isAtWork))) return this.#interrupt();
    if (!('dialog' in state)) return key === 'Enter' ? this.enter() : this.clearBox();
    const { options } = state.dialog;
    const at = options.findIndex(({ highlighted }) => highlighted);
    if (key === 'Enter') return this.answer(options[at]?.label ?? null);
    const to = at + (key === 'Down' ? 1 : -1);
    if (options[to] === undefined) return undefined;
    const moved = options.map((option, index) => ({ ...option, highlighted: index === to }));
    this.show({ ...state, dialog: { ...state.dialog, options: moved } });
  }

  enter(): void {
    const text = this.box;
    if (text === '') return;
    const { random, luck } = this.world;
    if (this.#swallows > 0) {
      this.#swallows -= 1;
      return;
    }
    const fate = isAtWork(this.#state) ? 'taken' : random.weighted(luck.enter);
    if (fate === 'swallowed') {
      this.#swallows = random.int(0, 6);
      return;
    }
    this.box = '';
    if (fate === 'vanished') return this.world.changed();
    if (fate === 'late') return this.#evenLater(random.int(50, LATE_MAX_MS), () => this.#take(text));
    this.#take(text);
  }

  /** Acts as a person at the keyboard, unknown to Drover: answers a question, ends the program, commits or talks to it. */
  byHand(what: 'answer' | 'quit' | 'commit' | 'talk'): void {
    if (what === 'talk') return this.#talk();
    if (what === 'commit') return this.world.work('commit');
    if (what === 'quit') return this.kill({ status: 0, signal: null, lastLines: ['bye'], limit: null });
    this.answer(null);
    if (this.#state.kind === 'error') this.limitedUntil = 0;
  }

  /** Chooses an option of the dialog; null: an option that lets the program go on. */
  answer(label: string | null): void {
    const state = this.#state;
    if (state.kind === 'dialog' && state.dialog.kind === 'limit') return finishTurn(this, 'limit-late');
    if (state.kind === 'dialog' && !this.#isAtWork) return this.#cameUp();
    if (state.kind !== 'dialog' && state.kind !== 'question' && state.kind !== 'permission') return;
    if (label === 'No') return this.ready('interrupted');
    this.#work(this.world.random.weighted(this.world.luck.turn));
  }

  #interrupt(): void {
    if (this.#isDeaf) return;
    this.#interrupts += 1;
    this.ready('interrupted');
  }

  #talk(): void {
    if (this.end !== null || this.#state.kind !== 'ready') return;
    const { random } = this.world;
    this.#isAtWork = true;
    this.show({ kind: 'processing', queued: false, composer: NO_TEXT });
    const end = random.pick(['permission', 'question', 'nothing'] as const);
    this.later(random.int(50, 1_500), () => finishTurn(this, end));
  }

  #composer(): Composer {
    return this.box === '' ? NO_TEXT : { kind: 'text', text: this.box, whole: true, pasted: false };
  }

  #start(): void {
    const { random, luck } = this.world;
    const how = random.weighted(luck.start);
    const ms = how === 'slow' ? random.int(SLOW_FROM_MS, 2 * SLOW_FROM_MS) : random.int(100, 3_000);
    if (how === 'crash') this.later(ms, () => this.kill({ status: 1, signal: null, lastLines: ['no'], limit: null }));
    if (how === 'missing')
      this.later(ms, () => this.kill({ status: 127, signal: null, lastLines: ['not found'], limit: null }));
    if (how === 'ready' || how === 'slow') this.later(ms, () => this.#cameUp());
    if (how === 'trust' || how === 'other-dialog') {
      const kind = how === 'trust' ? 'trust' : 'other';
      this.later(ms, () => this.show({ kind: 'dialog', dialog: startDialog(kind) }));
    }
  }

  #cameUp(): void {
    this.show({ kind: 'starting' });
    this.later(this.world.random.int(20, 400), () => this.ready('fresh'));
  }

  #take(text: string): void {
    if (isAtWork(this.#state)) {
      this.#queue.push(text);
      if (this.#state.kind === 'processing') this.show({ kind: 'processing', queued: true, composer: NO_TEXT });
      return;
    }
    if (this.#state.kind !== 'ready' && this.#state.kind !== 'error') return;
    this.progress += 1;
    this.#isAtWork = true;
    this.world.taken(text);
    const { random, luck } = this.world;
    const end = this.world.hasConflicts() && random.chance(0.8) ? rebaseEnd(random) : random.weighted(luck.turn);
    this.#work(end);
  }

  /** Starts the next queued text after a turn, unless something with an end of its own begins. */
  #takeQueued(): void {
    if (this.#queue.length === 0) return;
    this.#evenLater(this.world.random.int(5, 200), () => {
      if (this.#state.kind !== 'ready' && this.#state.kind !== 'error') return;
      const next = this.#queue.shift();
      if (next !== undefined) this.#take(next);
    });
  }

  #work(end: TurnEnd): void {
    const { random, time } = this.world;
    const isLimited = this.limitedUntil > time.now();
    if (end === 'quick-commit' && !isLimited) return this.later(random.int(0, 30), () => finishTurn(this, end));
    this.show({ kind: 'processing', queued: false, composer: NO_TEXT });
    if (isLimited) return this.later(random.int(50, 500), () => finishTurn(this, 'limit-again'));
    this.#isDeaf = end === 'hang';
    if (this.#isDeaf) return;
    const steps = random.int(0, 4);
    for (let step = 1; step <= steps; step += 1) this.later(step * 400, () => this.#say());
    this.later(steps * 400 + random.int(20, 6_000), () => finishTurn(this, end));
  }

  #say(): void {
    this.progress += 1;
    this.world.changed();
  }

  #showLie(): void {
    const { random } = this.world;
    const lies: readonly AgentState[] = [
      { kind: 'unknown', why: 'nothing-matched' },
      { kind: 'ready', after: 'completed', composer: NO_TEXT },
      { kind: 'processing', queued: false, composer: NO_TEXT },
    ];
    this.#lie = random.pick(lies);
    this.#evenLater(random.int(20, 1_500), () => {
      this.#lie = null;
      this.world.changed();
    });
  }
}

/**
 * The longest that a text may have left the box before its turn shows, in milliseconds. Drover waits 10 s for that; a program
 * that took longer would be typed into twice, and nothing on its screen or disk could tell.
 */
const LATE_MAX_MS = 9_000;

/** A slow start takes at least this long, in milliseconds: about as long as a program may take. */
const SLOW_FROM_MS = 15_000;

const NO_TEXT = { kind: 'empty' } as const;
