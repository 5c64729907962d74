/** `drover doctor`: what it asks of a coordinator, and what it is told. */
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';

/** One result of a check. */
export const finding = z.object({
  /** The kind of check, for programs: stable. */
  check: z.string(),
  /** What was checked: a worker, a machine, a directory. */
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

/** A repair that loses nothing. `key` names it for `repair`. */
export const repair = z.object({ key: z.string(), worker: z.string(), does: z.string() });

/** A checked `repair`. */
export type RepairView = z.infer<typeof repair>;

/** A worker that the database has lost and that can be brought back. */
export const rebuild = z.object({
  key: z.string(),
  worker: z.string(),
  machine: z.string(),
  /** From what, and into which state. */
  does: z.string(),
});

/** A checked `rebuild`. */
export type RebuildView = z.infer<typeof rebuild>;

/** The results of all checks, and what can be done about them. */
export const diagnosis = z.object({
  findings: z.array(finding),
  repairs: z.array(repair),
  rebuilds: z.array(rebuild),
});

/** A checked `diagnosis`. */
export type DiagnosisView = z.infer<typeof diagnosis>;

/** Characters of a key: it may hold a path. */
const KEY_MAX = 16_384;

/** Which of the shown repairs or rebuilds to do, by their keys. */
export const cureInput = z.object({ keys: z.array(z.string().max(KEY_MAX)).max(10_000) });

/** The result of each. One is refused when its row has changed since. */
export const cured = z.object({ key: z.string(), done: z.boolean(), says: z.string() });

/** A checked `cured`. */
export type CuredView = z.infer<typeof cured>;

/** The use cases of the doctor; a part of `Fleet`. */
export interface DoctorFleet {
  /** Reads rows and asks every connected machine. Changes nothing. */
  diagnose(by: Actor): Promise<DiagnosisView>;
  repair(input: z.infer<typeof cureInput>, by: Actor): Promise<readonly CuredView[]>;
  rebuild(input: z.infer<typeof cureInput>, by: Actor): Promise<Outcome<readonly CuredView[]>>;
}
