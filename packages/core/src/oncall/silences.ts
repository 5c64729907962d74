/** Silences: times in which no person is called about a question. The question itself is asked, and waits. */

/** Scope of a silence; null: any. A question falls under a silence if it matches every field that the silence names. */
export interface Silence {
  readonly project: string | null;
  readonly worker: string | null;
  readonly machine: string | null;
  readonly code: string | null;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Facts of a question that silences match. */
export interface SilencedBy {
  readonly project: string;
  /** Workers that still wait for an answer. */
  readonly workers: readonly string[];
  readonly machine: string;
  readonly code: string;
}

/**
 * Returns the end of the longest silence that a question falls under, epoch milliseconds; null: none. If the question is about several
 * workers, all must be silenced.
 */
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
