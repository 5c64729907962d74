/** Is a labelled capture judged as its label says? */
import type { AgentState } from '@drover/core';
import { z } from 'zod';
import { detect } from './detect.ts';
import type { PaneFacts } from './look.ts';
import { BUILT_IN_PROFILES, profileNamed } from './profiles/index.ts';
import type { Profile } from './profile/schema.ts';

/** Labels of recorded captures. */
export const CAPTURE_LABELS = [
  'starting',
  'dialog_trust',
  'dialog_bypass',
  'dialog_other',
  'ready',
  'typed',
  'processing',
  'question_choice',
  'permission',
  'error_retrying',
  'error_terminal',
  'exited_shell',
  'dead',
  'unknown',
] as const;
/** A label of recorded captures. */
export type CaptureLabel = (typeof CAPTURE_LABELS)[number];

/** tmux writes numbers and flags as text; a missing value is empty. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional();

/** The `.json` beside a capture. Fields that the judge does not need are let through. */
export const captureFileSchema = z.object({
  program: z.string(),
  version: z.string().optional(),
  state: z.string().optional(),
  label: z.enum(CAPTURE_LABELS),
  pane_current_command: text,
  pane_dead: text,
  pane_dead_status: text,
  pane_dead_signal: text,
  pane_title: text,
  alternate_on: text,
  history_size: text,
  cursor_y: text,
});
/** A checked `.json` of a capture. */
export type CaptureFile = z.output<typeof captureFileSchema>;

/** What became of one capture. */
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
 * @throws {z.ZodError} when the `.json` is not a capture file, {RangeError} when no profile fits its program.
 */
export function judge(
  json: unknown,
  ansi: string,
  profiles: ReadonlyMap<string, Profile> = BUILT_IN_PROFILES,
): Judgement {
  const file = captureFileSchema.parse(json);
  const profile = profileNamed(file.program, profiles);
  if (profile === null)
    throw new RangeError(`No profile fits the program "${file.program}": known are ${[...profiles.keys()].join(', ')}`);
  const facts = factsOf(file);
  const { state, rule } = detect(profile, { facts, capture: ansi });
  // tmux can lose the status of a dead pane: then the state alone does not tell it from a shell.
  const got = facts.dead && state.kind === 'exited' ? 'dead' : labelOf(state);
  return { right: got === file.label, expected: file.label, got, rule };
}

/** The facts of tmux in a capture file. */
export function factsOf(file: CaptureFile): PaneFacts {
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
