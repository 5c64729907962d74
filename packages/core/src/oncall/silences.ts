/** Silences: until when no person is called about a question. The question itself is asked, and waits. */

/** What a silence is about; null: any. What several of them name must all be so. */
export interface Silence {
  readonly project: string | null;
  readonly worker: string | null;
  readonly machine: string | null;
  readonly code: string | null;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** What a question is about. */
export interface SilencedBy {
  readonly project: string;
  /** Those that still wait for an answer. */
  readonly workers: readonly string[];
  readonly machine: string;
  readonly code: string;
}

/** The end of the longest silence that a question falls under, epoch milliseconds; null: none. Of several workers all must be silenced. */
export function silencedUntil(silences: readonly Silence[], about: SilencedBy, now: number): number | null {
  const ends = silences.filter((silence) => silence.until > now && isUnder(silence, about)).map(({ until }) => until);
  return ends.length === 0 ? null : Math.max(...ends);
}

function isUnder({ project, worker, machine, code }: Silence, about: SilencedBy): boolean {
  return (
    (project === null || project === about.project) &&
    (machine === null || machine === about.machine) &&
    (code === null || code === about.code) &&
    (worker === null || (about.workers.length > 0 && about.workers.every((name) => name === worker)))
  );
}
