/** Walks through a trial alone: presses and types as the profile says, and waits until Drover reads what must follow. */
import { chooseOption } from '@drover/screen';
import type { Profile } from '@drover/screen';
import { outcomeOf } from './attended.ts';
import { readShown } from './reading.ts';
import type { ScreenReading } from './reading.ts';
import type { Shown } from './scratch.ts';
import { STEPS } from './steps.ts';
import type { CaptureLabel, Step, StepName, StepOutcome } from './steps.ts';

/** Texts that bring a model to each state. Undefined: that step is left out. */
export interface Prompts {
  readonly working: string;
  readonly permission: string | undefined;
  readonly error: string | undefined;
}

/** Doors of the walk to the program, the files and the time. */
export interface UnattendedTrial {
  readonly profile: Profile;
  readonly prompts: Prompts;
  shown(): Promise<Shown>;
  type(text: string): Promise<void>;
  press(keys: readonly string[]): Promise<void>;
  keep(shown: Shown, label: CaptureLabel): Promise<string>;
  sleep(ms: number): Promise<void>;
}

/** Milliseconds between two looks, between two keys, and in which a program must show what follows. */
const POLL_MS = 200;
const KEY_GAP_MS = 400;
const START_MS = 30_000;
const TURN_MS = 60_000;
const TYPED_MS = 10_000;
/** Milliseconds after which Enter is pressed again while the text still stands in the box. */
const SUBMIT_MS = 3_000;
const SUBMITS_MAX = 3;
const TYPED = 'words that nobody sends';

interface Seen {
  readonly shown: Shown;
  readonly reading: ScreenReading;
}

/** @returns an outcome for each step. The first that is wrong is the last that is tried: what is typed after it would go astray. */
export async function walkAlone(trial: UnattendedTrial): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const step of STEPS) {
    const isLost = outcomes.some((one) => one.kind === 'read' && !one.right);
    outcomes.push(isLost ? { kind: 'left-out', name: step.name } : await carriedOut(trial, step));
  }
  return outcomes;
}

async function carriedOut(trial: UnattendedTrial, step: Step): Promise<StepOutcome> {
  const found = await WAYS[step.name](trial, step.label);
  if (found === null) return { kind: 'left-out', name: step.name };
  // Nobody looked: a screen that is read otherwise has no known label.
  const file = found.reading.right ? await trial.keep(found.shown, step.label) : null;
  return outcomeOf(found.reading, { name: step.name, file });
}

/** Brings the program to each state. Null: there is no way. */
const WAYS: Readonly<Record<StepName, (trial: UnattendedTrial, label: CaptureLabel) => Promise<Seen | null>>> = {
  dialog: async (trial, label) => {
    const seen = await until(trial, ['ready', label, 'dialog_other'], { label, withinMs: START_MS });
    return seen.reading.right ? seen : null;
  },
  ready: async (trial, label) => {
    const first = await readNow(trial, label);
    const { state } = first.reading.detection;
    if (state.kind === 'dialog' && state.dialog.trust !== undefined) {
      const plan = chooseOption(trial.profile, state.dialog, state.dialog.trust.accept);
      if (plan.kind === 'keys') await pressEach(trial, [...plan.keys, plan.confirm]);
    }
    return until(trial, [label], { label, withinMs: START_MS });
  },
  typed: async (trial, label) => {
    await trial.sleep(trial.profile.typing.startupMs);
    await trial.type(TYPED);
    const seen = await until(trial, [label], { label, withinMs: TYPED_MS });
    await pressEach(trial, trial.profile.typing.clear);
    return seen;
  },
  working: (trial, label) => begun(trial, trial.prompts.working, label),
  permission: async (trial, label) => {
    await rests(trial, trial.profile.typing.interrupt);
    return trial.prompts.permission === undefined ? null : begun(trial, trial.prompts.permission, label);
  },
  error: async (trial, label) => {
    await rests(trial, [trial.profile.screen.dialog.keys.dismiss]);
    return trial.prompts.error === undefined ? null : begun(trial, trial.prompts.error, label);
  },
  exit: async (trial, label) => {
    await pressEach(trial, trial.profile.typing.exit);
    return until(trial, [label], { label, withinMs: TYPED_MS });
  },
};

/** Sends a text and waits for its screen. */
async function begun(trial: UnattendedTrial, text: string, label: CaptureLabel): Promise<Seen> {
  const { submit, settleMs } = trial.profile.typing;
  await until(trial, ['ready'], { label, withinMs: TYPED_MS });
  await trial.type(text);
  await until(trial, ['typed'], { label, withinMs: TYPED_MS });
  await trial.sleep(settleMs);
  for (let times = 1; times <= SUBMITS_MAX; times += 1) {
    await trial.press([submit]);
    const seen = await until(trial, OTHER_THAN_TYPED, { label, withinMs: SUBMIT_MS });
    if (seen.reading.got !== 'typed') break;
  }
  return until(trial, [label], { label, withinMs: TURN_MS });
}

/** Labels of a screen whose text has left the box. */
const OTHER_THAN_TYPED: readonly CaptureLabel[] = [
  'processing',
  'permission',
  'question_choice',
  'error_retrying',
  'error_terminal',
  'dialog_other',
];

/** Ends what runs or asks, and waits for the prompt. */
async function rests(trial: UnattendedTrial, keys: readonly string[]): Promise<void> {
  if ((await readNow(trial, 'ready')).reading.right) return;
  await pressEach(trial, keys);
  const seen = await until(trial, ['ready', 'typed'], { label: 'ready', withinMs: TURN_MS });
  // An interrupted program may put the prompt back into its box.
  if (seen.reading.got === 'typed') await pressEach(trial, trial.profile.typing.clear);
}

async function pressEach(trial: UnattendedTrial, keys: readonly string[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    if (index > 0) await trial.sleep(KEY_GAP_MS);
    await trial.press([key]);
  }
}

async function readNow(trial: UnattendedTrial, label: CaptureLabel): Promise<Seen> {
  const shown = await trial.shown();
  return { shown, reading: readShown(trial.profile, shown, label) };
}

/** Looks until Drover reads one of the labels twice in a row, or the time is over. */
async function until(
  trial: UnattendedTrial,
  wanted: readonly CaptureLabel[],
  { label, withinMs }: { readonly label: CaptureLabel; readonly withinMs: number },
): Promise<Seen> {
  let before: CaptureLabel | null = null;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const seen = await readNow(trial, label);
    const { got } = seen.reading;
    if ((wanted.includes(got) && got === before) || waitedMs >= withinMs) return seen;
    before = got;
    await trial.sleep(POLL_MS);
  }
}
