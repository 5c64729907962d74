/** Holds what is known about a pane at one moment, the input of `detect`. */
import type { AgentState } from '@drover/core';
import type { PaneReader } from './progress.ts';

/** Facts of tmux about a pane. */
export interface PaneState {
  readonly dead: boolean;
  /** Exit status of a dead pane; null when tmux does not know it. */
  readonly deadStatus: number | null;
  /** Number of the signal that ended it; null when there was none or tmux is older than 3.3. */
  readonly deadSignal: number | null;
  /** `pane_current_command`. */
  readonly command: string;
  readonly title: string;
  /** `history_size`: rows that scrolled away. */
  readonly historySize: number;
  readonly alternate: boolean;
  /** `cursor_y`: the row of the cursor, from 0; null when it was not asked for. */
  readonly cursorRow: number | null;
}

/** The agent's own word on what it does, translated by the profile (sessions file, HTTP API). */
export interface StructuredState {
  readonly status: 'idle' | 'busy' | 'waiting' | 'retrying' | 'background';
  /** Name of what it waits for, in its own words. */
  readonly waitingFor: string | null;
}

/** The latest hook of the pane's agent. */
export interface HookFact {
  /** The program's name of the hook, such as `PermissionRequest`. */
  readonly name: string;
  /** The tool it speaks of, if any. */
  readonly tool: string | null;
  readonly command: string | null;
  /** The error it names, if any. */
  readonly error: string | null;
  /** Work that it says runs on after the turn. */
  readonly runsOn?: { readonly what: string; readonly isScheduled: boolean } | undefined;
}

/** The last entry of the agent's transcript. */
export interface TranscriptFact {
  readonly role: 'user' | 'assistant' | 'tool' | 'other';
  readonly text: string;
  readonly apiError: boolean;
}

/** Everything known. Missing facts are left out; facts older than the capture must be left out too. */
export interface DetectInput {
  readonly facts: PaneState;
  /** Text of `capture-pane -p -e`. */
  readonly capture: string;
  /** Reader of this pane's previous looks: saves time, and changes nothing else. */
  readonly reader?: PaneReader;
  readonly structured?: StructuredState;
  readonly hook?: HookFact;
  readonly transcript?: TranscriptFact;
  /** Previous belief. */
  readonly previous?: AgentState;
}

/** Source of a piece of evidence, strongest first. */
type SignalSource = 'process' | 'structured' | 'hook' | 'transcript' | 'title' | 'screen';

/** Evidence in words. */
export interface Evidence {
  readonly source: SignalSource;
  /** Statement that it speaks for. */
  readonly says: string;
  /** The row, title or value seen, cut to 200 characters. */
  readonly seen: string;
}

/** Belief of `detect`, and why. */
export interface Detection {
  readonly state: AgentState;
  /** `high`: a strong signal or several that agree; `medium`: the screen alone; `low`: nothing better was there. */
  readonly confidence: 'high' | 'medium' | 'low';
  /** The rule that decided, `<profile>/<rule>`. */
  readonly rule: string;
  readonly evidence: readonly Evidence[];
  /** Changes when what a key press would act on changes: state, dialog, highlight, composer text. Spinners and clocks do not count. */
  readonly fingerprint: string;
  /** Changes when the agent's output changes; a spinner or a clock alone leaves it as it was. */
  readonly progress: string;
}
