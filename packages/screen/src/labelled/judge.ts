/** Judges a labelled capture, and compares the judgement with its label. */
import type { AgentState } from '@drover/core';
import { CaptureFileError, readCaptureFile } from './capture-file.ts';
import type { CaptureFile, CaptureLabel } from './capture-file.ts';
import { detect } from '../detect.ts';
import type { PaneState } from '../detection.ts';
import { BUILT_IN_PROFILES, profileNamed } from '../profiles/index.ts';
import type { Profile } from '../profile/schema.ts';

/** Judgement of one capture. */
export interface Judgement {
  readonly right: boolean;
  readonly expected: CaptureLabel;
  readonly got: CaptureLabel;
  readonly rule: string;
}

/**
 * Judges one capture: one frame, no history.
 *
 * @param json The `.json`, parsed.
 * @param ansi The `.ansi`.
 * @throws {CaptureFileError} when the `.json` is not a capture file, or no profile fits its program.
 */
export function judge(
  json: unknown,
  ansi: string,
  profiles: ReadonlyMap<string, Profile> = BUILT_IN_PROFILES,
): Judgement {
  const file = readCaptureFile(json);
  const profile = profileNamed(file.program, profiles);
  if (profile === null) {
    throw new CaptureFileError(`"program" is "${file.program}": expected one of ${[...profiles.keys()].join(', ')}`);
  }
  const facts = factsOf(file);
  const { state, rule } = detect(profile, { facts, capture: ansi });
  // tmux can lose the status of a dead pane: then the state alone does not tell it from a shell.
  const got = facts.dead && state.kind === 'exited' ? 'dead' : labelOf(state);
  return { right: got === file.label, expected: file.label, got, rule };
}

/** The facts of tmux in a capture file. */
export function factsOf(file: CaptureFile): PaneState {
  return {
    dead: file.pane_dead === '1',
    deadStatus: numberOrNull(file.pane_dead_status),
    deadSignal: numberOrNull(file.pane_dead_signal),
    command: file.pane_current_command ?? '',
    title: file.pane_title ?? '',
    historySize: numberOrNull(file.history_size) ?? 0,
    alternate: file.alternate_on === '1',
    cursorRow: numberOrNull(file.cursor_y),
  };
}

function numberOrNull(value: string | undefined): number | null {
  return value === undefined || !/^\d+$/u.test(value) ? null : Number(value);
}

/** The label that a state has in recorded captures. */
export function labelOf(state: AgentState): CaptureLabel {
  switch (state.kind) {
    case 'ready':
      return state.composer.kind === 'text' ? 'typed' : 'ready';
    case 'question':
      return 'question_choice';
    case 'dialog':
      return state.dialog.kind === 'trust'
        ? 'dialog_trust'
        : state.dialog.kind === 'bypass'
          ? 'dialog_bypass'
          : 'dialog_other';
    case 'error':
      return state.recoverable ? 'error_retrying' : 'error_terminal';
    case 'exited':
      return state.status === null && state.signal === null ? 'exited_shell' : 'dead';
    case 'starting':
    case 'processing':
    case 'permission':
    case 'unknown':
      return state.kind;
    default:
      return state satisfies never;
  }
}
