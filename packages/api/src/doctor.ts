/** `drover doctor`: what it asks of a coordinator, and what it is told. */
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';

/** Something that was looked at. */
export const finding = z.object({
  /** The kind of check, for programs: stable. */
  check: z.string(),
  /** What was looked at: a worker, a machine, a directory. */
  about: z.string(),
  /** `warning`: nothing fails for it today. `problem`: something does, or will. */
  level: z.enum(['ok', 'warning', 'problem']),
  /** What was found and what it means. */
  says: z.string(),
  /** The command that helps; null where nothing needs help. */
  help: z.string().nullable(),
});

/** A checked `finding`. */
export type FindingView = z.infer<typeof finding>;

/** Something that can be put right without losing anything. `key` names it for `repair`. */
export const repair = z.object({ key: z.string(), worker: z.string(), does: z.string() });

/** A checked `repair`. */
export type RepairView = z.infer<typeof repair>;

/** A worker that is lost to the database and can be brought back. */
export const rebuild = z.object({
  key: z.string(),
  worker: z.string(),
  machine: z.string(),
  /** From what, and into which state. */
  does: z.string(),
});

/** A checked `rebuild`. */
export type RebuildView = z.infer<typeof rebuild>;

/** Everything that was looked at. */
export const diagnosis = z.object({
  findings: z.array(finding),
  repairs: z.array(repair),
  rebuilds: z.array(rebuild),
});

/** A checked `diagnosis`. */
export type DiagnosisView = z.infer<typeof diagnosis>;

/** Characters of a key: it may hold a path. */
const KEY_MAX = 16_384;

/** Which of those that were shown are to be done, by their keys. */
export const cureInput = z.object({ keys: z.array(z.string().max(KEY_MAX)).max(10_000) });

/** What became of each: a row that moved meanwhile may refuse. */
export const cured = z.object({ key: z.string(), done: z.boolean(), says: z.string() });

/** A checked `cured`. */
export type CuredView = z.infer<typeof cured>;

/** The use cases of the doctor; a part of `Fleet`. */
export interface DoctorFleet {
  /** Looks at rows and asks every connected machine. Changes nothing. */
  diagnose(by: Actor): Promise<DiagnosisView>;
  repair(input: z.infer<typeof cureInput>, by: Actor): Promise<readonly CuredView[]>;
  rebuild(input: z.infer<typeof cureInput>, by: Actor): Promise<Outcome<readonly CuredView[]>>;
}
