/** Walks through a trial with a person, who brings the program to each state and mends the profile meanwhile. */
import type { Profile } from '@drover/screen';
import { readingLines, readShown } from './reading.ts';
import type { ScreenReading } from './reading.ts';
import type { Shown } from './scratch.ts';
import { STEPS } from './steps.ts';
import type { CaptureLabel, Step, StepOutcome } from './steps.ts';

/** Doors of the walk to the person, the program and the files. */
export interface AttendedTrial {
  ask(question: string): Promise<string>;
  say(text: string): void;
  shown(): Promise<Shown>;
  /** Reads the profile again; a text: what is wrong with it. */
  profile(): Promise<Profile | string>;
  /** Keeps a screen. @returns its path without `.ansi`. */
  keep(shown: Shown, label: CaptureLabel): Promise<string>;
}

/** @returns an outcome for each step. */
export async function walkWithPerson(trial: AttendedTrial): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const [index, step] of STEPS.entries()) {
    trial.say(`\n${index + 1} of ${STEPS.length}, ${step.name}. ${step.does}`);
    const answer = await trial.ask('Press Enter when the screen shows it, or type "s" to leave it out: ');
    outcomes.push(answer.trim() === 's' ? { kind: 'left-out', name: step.name } : await taught(trial, step));
  }
  return outcomes;
}

/** Looks, keeps and reads until Drover reads it right, or the person goes on. */
async function taught(trial: AttendedTrial, { name, label }: Step): Promise<StepOutcome> {
  let shown = await trial.shown();
  let file = await trial.keep(shown, label);
  for (;;) {
    const reading = await readAgain(trial, shown, label);
    if (reading?.right === true) return outcomeOf(reading, { name, file });
    const answer = await trial.ask(
      'Change the profile and press Enter to read this screen again; "a" looks at the program again, "s" goes on: ',
    );
    if (answer.trim() === 's') {
      return reading === null ? { kind: 'left-out', name } : outcomeOf(reading, { name, file });
    }
    if (answer.trim() === 'a') {
      shown = await trial.shown();
      file = await trial.keep(shown, label);
    }
  }
}

async function readAgain(trial: AttendedTrial, shown: Shown, label: CaptureLabel): Promise<ScreenReading | null> {
  const profile = await trial.profile();
  if (typeof profile === 'string') {
    trial.say(profile);
    return null;
  }
  const reading = readShown(profile, shown, label);
  for (const line of readingLines(reading)) trial.say(line);
  return reading;
}

/** Outcome of a step whose screen was read. */
export function outcomeOf(
  { expected, got, right, rule }: ScreenReading,
  { name, file }: { readonly name: Step['name']; readonly file: string | null },
): StepOutcome {
  return { kind: 'read', name, expected, got, right, rule, file };
}
