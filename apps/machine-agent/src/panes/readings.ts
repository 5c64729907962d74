/** Reads panes in the words of the policy: from the screen, from the previous reading, and from the program's own records. */
import type { LocalClock } from '@drover/base';
import type { Reading } from '@drover/core';
import { detect, PaneReader } from '@drover/screen';
import type { Detection, DetectInput, PaneState as ScreenState, Profile } from '@drover/screen';
import { formatIncarnation, signalNumber, type Capture, type PaneState } from '@drover/tmux';
import type { Listener } from '../signals/listener.ts';
import type { Profiles } from './agent-profile.ts';
import type { LastSeen } from './exit-facts.ts';
import { OPTIONS, workerOf } from './managed.ts';
import type { Witness } from './witness.ts';

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
  /** Reader of its screens. */
  readonly reader: PaneReader;
}

interface PaneReadingsOptions {
  readonly profiles: Pick<Profiles, 'find'>;
  readonly listener: Pick<Listener, 'attend' | 'audible' | 'read' | 'forget'>;
  readonly understand: Understand;
  readonly clock: LocalClock;
  /** Compares screens with what programs say; absent: nobody does. */
  readonly witness?: Pick<Witness, 'see' | 'forget'>;
}

/** Reads the screens of watched panes, and remembers the last reading of each incarnation. */
export class PaneReadings {
  readonly #profiles: PaneReadingsOptions['profiles'];
  readonly #listener: PaneReadingsOptions['listener'];
  readonly #understand: Understand;
  readonly #clock: LocalClock;
  readonly #witness: PaneReadingsOptions['witness'];
  readonly #memories = new Map<string, Memory>();

  constructor({ profiles, listener, understand, clock, witness }: PaneReadingsOptions) {
    this.#profiles = profiles;
    this.#listener = listener;
    this.#understand = understand;
    this.#clock = clock;
    this.#witness = witness;
  }

  /** Judges a screen and remembers it. @returns undefined for a pane whose profile this machine does not know. */
  judge(capture: Capture): PaneReading | undefined {
    const { facts } = capture;
    const found = this.#profiles.find(facts.options[OPTIONS.profile] ?? '');
    if (found === undefined) return undefined;
    const incarnation = formatIncarnation(facts.incarnation);
    const workerId = workerOf(facts);
    if (workerId !== undefined) this.#listener.attend(incarnation, { workerId, panePid: facts.incarnation.panePid });
    const at = this.#clock.now();
    const memory = this.#memories.get(incarnation);
    const reader = memory?.reader ?? new PaneReader();
    const seen = this.#understand(found.profile, capture, { at, known: { ...this.#known(incarnation), reader } });
    const judged = withHookWordsOf(memory, seen);
    this.#remember(incarnation, judged, reader);
    this.#witness?.see(incarnation, { profile: found.name, reading: judged.reading, capture });
    return judged;
  }

  /** Last reading of an incarnation. */
  last(incarnation: string): LastSeen | undefined {
    return this.#memories.get(incarnation);
  }

  /** Incarnations whose agents are at work, or start. */
  get atWork(): readonly string[] {
    return [...this.#memories].flatMap(
      ([
        incarnation,
        {
          state: { kind },
        },
      ]) => (kind === 'processing' || kind === 'starting' ? incarnation : []),
    );
  }

  /** Facts about an incarnation beside its screen; its program's own records are read again. */
  async known(incarnation: string): Promise<Known> {
    await this.#listener.read(incarnation);
    return this.#known(incarnation);
  }

  forget(incarnation: string): void {
    this.#memories.delete(incarnation);
    this.#witness?.forget(incarnation);
    this.#listener.forget(incarnation);
  }

  #known(incarnation: string): Known {
    const memory = this.#memories.get(incarnation);
    const signals = this.#listener.audible(incarnation, memory?.since ?? null);
    return memory === undefined ? signals : { ...signals, previous: memory.state, reader: memory.reader };
  }

  #remember(incarnation: string, { reading, text, shown }: PaneReading, reader: PaneReader): void {
    const before = this.#memories.get(incarnation);
    const since = before === undefined || before.shown === shown ? (before?.since ?? null) : reading.at;
    this.#memories.set(incarnation, {
      state: reading.state,
      text,
      shown,
      since,
      fingerprint: reading.fingerprint,
      reader,
    });
    // A turn that ended may have left an error in the transcript that no hook reported.
    if (before !== undefined && before.shown !== shown) void this.#listener.read(incarnation);
  }
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

/** Reads a capture, with its evidence. */
export function explain(profile: Profile, { facts, text, ansi }: Capture, known: Known = {}): Detection {
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
