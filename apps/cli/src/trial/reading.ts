/** Reads a screen of a trial, and tells a person what Drover sees in it. */
import { captureFileSchema, detect, factsOf, judge } from '@drover/screen';
import type { Detection, Judgement, Profile } from '@drover/screen';
import type { Shown } from './scratch.ts';
import type { CaptureLabel } from './steps.ts';

/** A judged screen with what led there. */
export interface ScreenReading extends Judgement {
  readonly detection: Detection;
  /** Name of the program in the foreground. */
  readonly command: string;
}

/** @param label The right reading. */
export function readShown(profile: Profile, { ansi, facts }: Shown, label: CaptureLabel): ScreenReading {
  const file = { ...facts, program: profile.id, label };
  const paneState = factsOf(captureFileSchema.parse(file));
  const detection = detect(profile, { facts: paneState, capture: ansi });
  return { ...judge(file, ansi, new Map([[profile.id, profile]])), detection, command: paneState.command };
}

/** Lines that say what Drover reads, and if that is wrong, from what. */
export function readingLines({ right, got, expected, rule, detection, command }: ScreenReading): readonly string[] {
  if (right) return [`Drover reads "${got}", by the rule ${rule}: right.`];
  return [
    `Drover reads "${got}", not "${expected}", by the rule ${rule}:`,
    ...detection.evidence.map(({ source, says, seen }) => `  the ${source} says ${says}: ${JSON.stringify(seen)}`),
    ...(got === 'exited_shell'
      ? [`  "${command}" runs in the pane: if that is the program, add it to "commands"`]
      : []),
  ];
}
