/** The slice `dialog`: the dialog on the screen that is to be answered, and the number of answers to each. */
import { DIALOGS_REMEMBERED_MAX } from '../policy/policy.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** A dialog on the screen, and its progress. */
export interface DialogInHand {
  /** Words of the dialog, by which it is counted. */
  readonly key: string;
  /** Incarnation on whose screen alone the dialog is answered (R4). */
  readonly incarnation: string;
  readonly fingerprint: string;
  /** Text under the dialog's title when a person was asked. */
  readonly body?: string;
  /** Option to choose next; null: a person is asked. */
  readonly label: string | null;
  readonly by: 'policy' | 'person';
}

/** Number of answers to a dialog during a task. */
export interface DialogCount {
  readonly key: string;
  readonly times: number;
}

/** Dialogs. */
export interface Dialogs {
  /** A dialog that is to be answered, or that a person was asked about. */
  readonly inHand: DialogInHand | null;
  /** Dialogs that were answered during this task. */
  readonly answered: readonly DialogCount[];
}

/** Slice without a dialog. */
export const DIALOG = {
  initial: { inHand: null, answered: [] },
  on: {
    'task-begun': (dialogs: Dialogs): Dialogs => ({ ...dialogs, answered: [] }),
    'task-ended': keep,
    'session-opened': (dialogs: Dialogs): Dialogs => ({ ...dialogs, inHand: null }),
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': (): Dialogs => ({ inHand: null, answered: [] }),
    'given-up': keep,
  },
} satisfies Slice<Dialogs>;

/** Takes a dialog in hand. */
export function takeDialog(dialogs: Dialogs, inHand: DialogInHand): Dialogs {
  return { ...dialogs, inHand };
}

/** Drops a dialog that is gone, or answered. */
export function dropDialog(dialogs: Dialogs): Dialogs {
  return { ...dialogs, inHand: null };
}

/** Counts an answer to the dialog with this key. */
export function countAnswer(dialogs: Dialogs, key: string): Dialogs {
  const times = timesAnswered(dialogs, key) + 1;
  const others = dialogs.answered.filter((entry) => entry.key !== key);
  return { ...dialogs, answered: [...others, { key, times }].slice(-DIALOGS_REMEMBERED_MAX) };
}

/** Counts the answers to the dialog with this key during this task. */
export function timesAnswered({ answered }: Dialogs, key: string): number {
  return answered.find((entry) => entry.key === key)?.times ?? 0;
}

/** Tells whether a person's answer is on its way to the machine. */
export function isAnswerPending({ inHand }: Dialogs): boolean {
  return inHand?.by === 'person' && inHand.label !== null;
}
