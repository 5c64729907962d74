/**
 * Sees one life of a worker's pane: captures it, reads it in the words of the policy (from the screen, the previous reading, and the program's
 * own records), and reports what is new. Commands read a pane here, and type into it as its only sender.
 */
import type { LocalClock, Log } from '@drover/base';
import type { Reading } from '@drover/core';
import { detect, PaneReader } from '@drover/screen';
import type { Detection, DetectInput, PaneState as ScreenState, Profile } from '@drover/screen';
import {
  signalNumber,
  type Capture,
  type CaptureOptions,
  type PaneAddress,
  type PaneExit,
  type PaneState,
} from '@drover/tmux';
import type { Listener } from '../signals/listener.ts';
import type { Profiles } from './agent-profile.ts';
import { exitOf, type LastSeen } from './exit-facts.ts';
import { OPTIONS, workerOf } from './managed.ts';
import { isWorthTelling, toldNow, type Told } from './novelty.ts';
import type { PaneHands, PaneServer } from './servers.ts';
import type { Witness } from './witness.ts';

/** Rows above the screen that the last words of a program may have scrolled to. */
const HISTORY_ROWS = 60;

/** Capture and its meaning. */
export interface PaneReading {
  readonly reading: Reading;
  readonly facts: PaneState;
  /** Rows of text without attributes. */
  readonly text: string;
  /** Part that comes from the screen alone, whatever else was heard. */
  readonly shown: string;
}

/** Facts beside a screen: the previous reading, and the program's own records. */
export type Known = Omit<DetectInput, 'facts' | 'capture'>;

/** Interprets a capture. `at`: time of the capture, epoch milliseconds. */
export type Understand = (
  profile: Profile,
  capture: Capture,
  moment: { readonly at: number; readonly known?: Known | undefined },
) => PaneReading;

interface Memory extends LastSeen {
  readonly fingerprint: string;
  /** Last content of the screen alone. */
  readonly shown: string;
  /** Time since which it shows that, in epoch milliseconds; null when it was never seen to change. */
  readonly since: number | null;
}

/** Parts that all panes of a machine share. */
export interface PaneParts {
  readonly profiles: Pick<Profiles, 'find'>;
  readonly listener: Pick<Listener, 'attend' | 'audible' | 'read'>;
  readonly understand: Understand;
  /** Compares screens with what programs say; absent: nobody does. */
  readonly witness?: Pick<Witness, 'see'>;
  readonly clock: LocalClock;
  readonly log: Log;
  /** Takes the secrets out of a screen. */
  readonly clean: (text: string, width: number | undefined) => string;
  /** Remembers the life of a pane, whose conversation leads to the program's own records. */
  readonly know: (facts: PaneState) => void;
  /** Keeps this pane: its program was seen alive. */
  readonly keep: (pane: Pane) => void;
  /** Tells whether a command acts on the worker's pane: nothing is reported of it then. */
  readonly isHeld: (workerId: string) => boolean;
  readonly report: (workerId: string, incarnation: string, reading: Reading) => void;
  /** Fires when nothing is watched any more. */
  readonly signal: AbortSignal;
}

export class Pane {
  readonly incarnation: string;
  readonly #address: PaneAddress;
  readonly #server: PaneServer;
  readonly #parts: PaneParts;
  readonly #reader = new PaneReader();
  #memory: Memory | undefined;
  #told: Told | undefined;
  /** Reading because of news that is under way, and whether there was more news meanwhile. */
  #catchingUp: { again: boolean } | undefined;

  constructor(
    parts: PaneParts,
    { incarnation, address, server }: { incarnation: string; address: PaneAddress; server: PaneServer },
  ) {
    this.#parts = parts;
    this.incarnation = incarnation;
    this.#address = address;
    this.#server = server;
  }

  /** Tells whether its agent is at work, or starts. */
  get isAtWork(): boolean {
    const kind = this.#memory?.state.kind;
    return kind === 'processing' || kind === 'starting';
  }

  /** Runs `work` as the only sender to the pane. */
  withHands<T>(work: (hands: PaneHands) => Promise<T>): Promise<T> {
    return this.#server.withPane(this.#address, work);
  }

  /** Reads what the pane shows now, also of a program that has ended; null when the pane has gone. `known`: facts beside the screen; default: none. */
  async see(profile: Profile, known: Known = {}): Promise<PaneReading | null> {
    const capture = await this.#capture({ colours: true });
    const at = this.#parts.clock.now();
    return capture === null ? null : this.#parts.understand(profile, capture, { at, known });
  }

  /** Reads the pane with what its program says of itself, which is read after the screen: a turn that has ended there is in the records by then. */
  async seeWhole(profile: Profile): Promise<PaneReading | null> {
    const capture = await this.#capture({ colours: true });
    const at = this.#parts.clock.now();
    return capture === null ? null : this.#parts.understand(profile, capture, { at, known: await this.known() });
  }

  /** Reads the pane as {@link seeWhole} does, with the reasons. */
  async explain(profile: Profile): Promise<{ readonly capture: Capture; readonly detection: Detection } | null> {
    const capture = await this.#capture({ colours: true });
    return capture === null ? null : { capture, detection: explain(profile, capture, await this.known()) };
  }

  /** Facts beside the screen; the program's own records are read again. */
  async known(): Promise<Known> {
    await this.#parts.listener.read(this.incarnation);
    return this.#known();
  }

  /** Takes a capture of a watched pane, and reports it if it is news. */
  take(capture: Capture): void {
    const { facts } = capture;
    const workerId = workerOf(facts);
    if (workerId === undefined || facts.dead) return;
    this.#parts.keep(this);
    this.#parts.know(facts);
    const seen = this.#judge(workerId, capture);
    if (seen === undefined || this.#parts.isHeld(workerId)) return;
    if (isWorthTelling(this.#told, seen.reading)) this.#report(workerId, seen.reading);
  }

  /** Reports the present screen, whether or not it is news. */
  async tell(): Promise<void> {
    const capture = await this.#capture({ colours: true });
    if (capture === null || capture.facts.dead) return;
    const workerId = workerOf(capture.facts);
    if (workerId === undefined || this.#parts.isHeld(workerId)) return;
    const seen = this.#judge(workerId, capture);
    if (seen !== undefined) this.#report(workerId, seen.reading);
  }

  /** Describes the end of its program, with the last words on its screen. */
  async end(exit: PaneExit): Promise<ReturnType<typeof exitOf>> {
    const at = this.#parts.clock.now();
    const capture = await this.#capture({ history: HISTORY_ROWS }).catch(() => null);
    const clean = (text: string): string => this.#parts.clean(text, capture?.facts.width);
    return exitOf(exit, { at, seen: this.#memory, text: capture?.text, clean });
  }

  /** Reads the pane now: its program has reported something beside its screen. */
  #catchUp(): void {
    if (this.#catchingUp === undefined) void this.#takeUntilCalm();
    else this.#catchingUp.again = true;
  }

  async #takeUntilCalm(): Promise<void> {
    const { signal, log } = this.#parts;
    const under = { again: false };
    this.#catchingUp = under;
    try {
      do {
        under.again = false;
        const capture = await this.#capture({ colours: true });
        if (capture !== null) this.take(capture);
      } while (under.again && !signal.aborted);
    } catch (error) {
      log('debug', `Cannot read ${this.incarnation} after a change: ${String(error)}`);
    } finally {
      this.#catchingUp = undefined;
    }
  }

  async #capture(options: CaptureOptions): Promise<Capture | null> {
    const outcome = await this.#server.capture(this.#address, options);
    if (outcome.kind !== 'captured') return null;
    if (!outcome.capture.facts.dead) this.#parts.keep(this);
    return outcome.capture;
  }

  /** Judges a screen and remembers it. @returns undefined for a pane whose profile this machine does not know. */
  #judge(workerId: string, capture: Capture): PaneReading | undefined {
    const { profiles, listener, witness, clock } = this.#parts;
    const { options, incarnation } = capture.facts;
    const found = profiles.find(options[OPTIONS.profile] ?? '');
    if (found === undefined) return undefined;
    const { panePid } = incarnation;
    listener.attend(this.incarnation, { workerId, panePid, onNews: () => this.#catchUp() });
    const known = { ...this.#known(), reader: this.#reader };
    const seen = this.#parts.understand(found.profile, capture, { at: clock.now(), known });
    const judged = withHookWordsOf(this.#memory, seen);
    this.#remember(judged);
    witness?.see(this.incarnation, { profile: found.name, reading: judged.reading, capture });
    return judged;
  }

  #known(): Known {
    const memory = this.#memory;
    const signals = this.#parts.listener.audible(this.incarnation, memory?.since ?? null);
    return memory === undefined ? signals : { ...signals, previous: memory.state, reader: this.#reader };
  }

  #remember({ reading, text, shown }: PaneReading): void {
    const before = this.#memory;
    const since = before === undefined || before.shown === shown ? (before?.since ?? null) : reading.at;
    this.#memory = { state: reading.state, text, shown, since, fingerprint: reading.fingerprint };
    // A turn that ended may have left an error in the transcript that no hook reported.
    if (before !== undefined && before.shown !== shown) void this.#parts.listener.read(this.incarnation);
  }

  #report(workerId: string, reading: Reading): void {
    this.#told = toldNow(this.#told, reading);
    this.#parts.report(workerId, this.incarnation, reading);
  }
}

/** Reading of a program that has not ended. */
export function living(seen: PaneReading | null): PaneReading | null {
  return seen === null || seen.facts.dead ? null : seen;
}

/** Keeps the hook's words for a permission dialog while that dialog is shown, longer than the hook speaks. */
function withHookWordsOf(before: Memory | undefined, seen: PaneReading): PaneReading {
  const { state, fingerprint } = seen.reading;
  if (state.kind !== 'permission' || before?.state.kind !== 'permission') return seen;
  if (before.fingerprint !== fingerprint || lengthOf(before.state) <= lengthOf(state)) return seen;
  const { tool, command } = before.state;
  return { ...seen, reading: { ...seen.reading, state: { ...state, tool, command } } };
}

function lengthOf({ tool, command }: { readonly tool: string | null; readonly command: string | null }): number {
  return (tool ?? '').length + (command ?? '').length;
}

/** Interprets by the rules of the profile. */
export const understand: Understand = (profile, capture, { at, known = {} }) => {
  const { state, fingerprint, progress, rule, evidence } = explain(profile, capture, known);
  const shown = evidence.find(({ source }) => !BESIDE_THE_SCREEN.has(source))?.says ?? state.kind;
  return { reading: { at, state, fingerprint, progress, rule }, facts: capture.facts, text: capture.text, shown };
};

const BESIDE_THE_SCREEN: ReadonlySet<Detection['evidence'][number]['source']> = new Set([
  'structured',
  'hook',
  'transcript',
]);

function explain(profile: Profile, { facts, text, ansi }: Capture, known: Known): Detection {
  return detect(profile, { ...known, facts: screenFacts(facts), capture: ansi ?? text });
}

function screenFacts(facts: PaneState): ScreenState {
  return {
    dead: facts.dead,
    deadStatus: facts.deadStatus ?? null,
    deadSignal: facts.deadSignal === undefined ? null : signalNumber(facts.deadSignal),
    command: facts.currentCommand,
    title: facts.title,
    historySize: facts.historySize,
    alternate: facts.alternate,
    cursorRow: facts.cursor.y,
  };
}
