// Describes what each person has seen of each worker's work.

/** Work of a worker that a person has seen. */
export interface ReviewRow {
  readonly workerId: string;
  /** The id of the token. */
  readonly reviewer: string;
  /** The commit that was shown, its tree, and the commit that it was compared with. */
  readonly head: string;
  readonly tree: string;
  readonly base: string;
  readonly reviewedAt: number;
}
