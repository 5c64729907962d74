/** Input and answers of `drover doctor`. */
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';

/** A result of a check. */
export const finding = z.object({
  /** The kind of check, for programs: stable. */
  check: z.string(),
  /** Subject of the check: a worker, a machine, a directory. */
  about: z.string(),
  /** `warning`: nothing fails for it today. `problem`: something fails or will fail. */
  level: z.enum(['ok', 'warning', 'problem']),
  /** The result and the meaning of the check. */
  says: z.string(),
  /** The command that helps; null if no help is needed. */
  help: z.string().nullable(),
});

export type FindingView = z.infer<typeof finding>;

/** A repair that loses nothing. `key` names it for `repair`. */
export const repair = z.object({ key: z.string(), worker: z.string(), does: z.string() });

export type RepairView = z.infer<typeof repair>;

/** A worker that the database has lost and that can be brought back. */
export const rebuild = z.object({
  key: z.string(),
  worker: z.string(),
  machine: z.string(),
  /** Source of the rebuild, and the state after it. */
  does: z.string(),
});

export type RebuildView = z.infer<typeof rebuild>;

/** The results of all checks, with the possible repairs. */
export const diagnosis = z.object({
  findings: z.array(finding),
  repairs: z.array(repair),
  rebuilds: z.array(rebuild),
});

export type DiagnosisView = z.infer<typeof diagnosis>;

/** Characters of a key, which may hold a path. */
const KEY_MAX = 16_384;

/** Keys of the shown repairs or rebuilds that are to be done. */
export const cureInput = z.object({ keys: z.array(z.string().max(KEY_MAX)).max(10_000) });

/** The result of each repair; refused if its row has changed since. */
export const cured = z.object({ key: z.string(), done: z.boolean(), says: z.string() });

export type CuredView = z.infer<typeof cured>;

/** The use cases of the doctor; a part of `Fleet`. */
export interface DoctorFleet {
  /** Reads rows and asks every connected machine. Changes nothing. */
  diagnose(by: Actor): Promise<DiagnosisView>;
  repair(input: z.infer<typeof cureInput>, by: Actor): Promise<readonly CuredView[]>;
  rebuild(input: z.infer<typeof cureInput>, by: Actor): Promise<Outcome<readonly CuredView[]>>;
}
