/** Lists the steps of a trial: the states that a coding agent shows, and the way of a person to each. */
import type { CAPTURE_LABELS } from '@drover/screen';

export type CaptureLabel = (typeof CAPTURE_LABELS)[number];

/** A step of a trial. */
export interface Step {
  readonly name: StepName;
  /** The right reading of its screen. */
  readonly label: CaptureLabel;
  /** Task of the person, as a sentence. */
  readonly does: string;
}

export type StepName = 'dialog' | 'ready' | 'typed' | 'working' | 'permission' | 'error' | 'exit';

export const STEPS: readonly Step[] = [
  {
    name: 'dialog',
    label: 'dialog_trust',
    does: 'It starts. If it asks whether you trust the folder, leave that dialog open; if it does not, leave this step out.',
  },
  { name: 'ready', label: 'ready', does: 'Answer its dialogs until it waits for your words, and type nothing.' },
  { name: 'typed', label: 'typed', does: 'Type a few words into its box, and do not press Enter.' },
  {
    name: 'working',
    label: 'processing',
    does: 'Delete the words, and give it work of a minute, such as "Count from 1 to 200, a number in each line".',
  },
  {
    name: 'permission',
    label: 'permission',
    does: 'Let it ask for permission, such as with "Run the command: touch asked". Leave the dialog open.',
  },
  {
    name: 'error',
    label: 'error_terminal',
    does: 'Answer the dialog. Then let a turn fail for good, such as with a model that does not exist; or leave this step out.',
  },
  { name: 'exit', label: 'dead', does: 'End the program.' },
];

/** Outcome of a step. `left-out`: nobody brought the program there. */
export type StepOutcome =
  | { readonly kind: 'left-out'; readonly name: StepName }
  | {
      readonly kind: 'read';
      readonly name: StepName;
      readonly expected: CaptureLabel;
      readonly got: CaptureLabel;
      readonly right: boolean;
      readonly rule: string;
      /** The kept screen, without `.ansi`; null: its right label is not known. */
      readonly file: string | null;
    };
