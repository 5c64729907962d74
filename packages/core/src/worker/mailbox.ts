/** The slice `mailbox`: the text on its way to the agent, the texts behind it, and those in the program's own queue. */
import type { InFlight } from './command.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/**
 * Purpose of a text: a new task, a person's message or feedback, a task given again after its program was cut off, conflicts to resolve, a
 * check that failed before the merge, work that cannot be taken as it is or cannot go on, a nudge, or a request to go on. Receipts name the purpose.
 */
export type TextPurpose =
  | 'task'
  | 'message'
  | 'rejection'
  | 'restored'
  | 'conflict'
  | 'validation'
  | 'correction'
  | 'nudge'
  | 'continue';

/** A text for the agent. Only one is on its way at a time; others wait behind it. */
export interface Text {
  readonly id: string;
  readonly purpose: TextPurpose;
  readonly text: string;
  /** Attempts that ended lost, partial or refused; `lost` is also the rung of the ladder. */
  readonly lost: number;
  readonly partial: number;
  readonly refused: number;
  /** Time before which no attempt is made, epoch milliseconds. */
  readonly notBefore: number;
  /** Sequence number of an attempt whose outcome is unknown: check before typing again (R5). */
  readonly verify: number | null;
  /** Next step that the check advised for the next attempt. */
  readonly next: 'type' | 'enter-only' | 'clear-first';
  /** True for words of a run or of another agent: the run tells of their loss. */
  readonly isOfRun?: true;
}

/** Texts for the agent. */
export interface Mailbox {
  /** Text on its way. */
  readonly current: Text | null;
  readonly waiting: readonly Text[];
  /** Texts of people that a busy program has in its own queue: they are lost if the program ends before their turn. */
  readonly queued: readonly Text[];
  /** True if the program was cut off after it had taken the task: give the task again when it is up. */
  readonly restoreDue: boolean;
}

/**
 * Most texts of people that wait for one agent; `CHARACTERS_OF_PEOPLE_MAX` limits their characters together. Every look at the worker reads
 * them all: a few megabytes of words for a machine that is silent made the coordinator answer nobody.
 */
export const TEXTS_OF_PEOPLE_MAX = 20;
/** See {@link TEXTS_OF_PEOPLE_MAX}. */
export const CHARACTERS_OF_PEOPLE_MAX = 1_048_576;

const EMPTY = { current: null, waiting: [], queued: [] } as const;

function emptied(_mailbox: Mailbox): Mailbox {
  return { ...EMPTY, restoreDue: false };
}

/** Requeues the texts of an ended program: each is looked for, and typed again if it was not taken (R5). */
function requeued(mailbox: Mailbox): Mailbox {
  const { queued, current, waiting } = mailbox;
  if (queued.length === 0) return mailbox;
  const [first = null, ...others] = current === null ? queued : [current, ...queued];
  return { ...mailbox, current: first, waiting: [...others, ...waiting], queued: [] };
}

/** Slice without a text. */
export const MAILBOX = {
  initial: { ...EMPTY, restoreDue: false },
  on: {
    'task-begun': emptied,
    'task-ended': emptied,
    'session-opened': requeued,
    'session-lost': requeued,
    'worktree-lost': keep,
    'restore-begun': requeued,
    'budget-renewed': keep,
    'person-resumed': keep,
    // The incident keeps the texts that are given again.
    'given-up': (mailbox: Mailbox): Mailbox => ({ ...EMPTY, restoreDue: mailbox.restoreDue }),
  },
} satisfies Slice<Mailbox>;

/** Makes a text that was not tried yet. */
export function newText(id: string, purpose: TextPurpose, text: string): Text {
  return { id, purpose, text, lost: 0, partial: 0, refused: 0, notBefore: 0, verify: null, next: 'type' };
}

/** Returns the text with nothing counted against it. */
export function withoutCounts(text: Text): Text {
  return { ...text, lost: 0, partial: 0, refused: 0, notBefore: 0 };
}

/** Puts the text last: texts go out one after the other, in the order in which they were given. */
export function putLast(mailbox: Mailbox, text: Text): Mailbox {
  if (mailbox.current === null) return { ...mailbox, current: text };
  return { ...mailbox, waiting: [...mailbox.waiting, text] };
}

/** Puts the text before all others. */
export function putFirst(mailbox: Mailbox, text: Text): Mailbox {
  return { ...mailbox, current: text, waiting: unsentTexts(mailbox) };
}

/** Replaces the text on its way after an attempt. */
export function replaceCurrent(mailbox: Mailbox, text: Text): Mailbox {
  return { ...mailbox, current: text };
}

/** Takes the text on its way, so that the next one follows. */
export function takeCurrent(mailbox: Mailbox): Mailbox {
  const [next = null, ...waiting] = mailbox.waiting;
  return { ...mailbox, current: next, waiting };
}

/** Drops the text on its way; others stay behind it. */
export function dropCurrent(mailbox: Mailbox): Mailbox {
  return { ...mailbox, current: null };
}

/** Sets the texts to type, in this order, and no others. Texts in the program's queue stay there. */
export function setTexts(mailbox: Mailbox, texts: readonly Text[]): Mailbox {
  const [first = null, ...others] = texts;
  return { ...mailbox, current: first, waiting: others };
}

/** Records that the program has this text in its own queue. */
export function queueText(mailbox: Mailbox, text: Text): Mailbox {
  return { ...mailbox, queued: [...mailbox.queued, text] };
}

/** Empties the program's queue: each queued text has had its turn. */
export function emptyQueue(mailbox: Mailbox): Mailbox {
  return { ...mailbox, queued: [] };
}

/** Empties the mailbox, with nothing to be given again. */
export function emptyMailbox(mailbox: Mailbox): Mailbox {
  return emptied(mailbox);
}

/** Sets whether the task is given again when the program is up. */
export function setRestoreDue(mailbox: Mailbox, restoreDue: boolean): Mailbox {
  return { ...mailbox, restoreDue };
}

/** Requeues the texts of an ended program, which are typed again if they were not taken. */
export function requeue(mailbox: Mailbox): Mailbox {
  return requeued(mailbox);
}

/** Returns all texts that wait to be typed, oldest first. */
export function unsentTexts({ current, waiting }: Mailbox): readonly Text[] {
  return current === null ? waiting : [current, ...waiting];
}

export function textsOfPeople(texts: readonly Text[]): readonly Text[] {
  return texts.filter(({ purpose }) => purpose === 'message' || purpose === 'rejection');
}

/** Tells whether another text of a person has room among those that the agent has not taken. A single text always has. */
export function hasRoom(unread: readonly Text[], text: Text): boolean {
  const others = textsOfPeople(unread);
  const characters = others.reduce((sum, other) => sum + other.text.length, text.text.length);
  return others.length === 0 || (others.length < TEXTS_OF_PEOPLE_MAX && characters <= CHARACTERS_OF_PEOPLE_MAX);
}

/** Tells whether nothing of a text can stand anywhere yet (R5). */
export function isUntouched(inFlight: InFlight | null, { lost, partial, verify, next, text }: Text): boolean {
  const isBeingTyped = inFlight?.command.kind === 'deliver' && inFlight.command.text === text;
  return lost === 0 && partial === 0 && verify === null && next === 'type' && !isBeingTyped;
}
