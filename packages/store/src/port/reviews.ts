// What each person has seen of each worker's work.

/** What a person has seen of a worker's work. */
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

/** What is done to reviews inside a transaction. */
export interface ReviewTransaction {
  /** What a reviewer has seen of a worker's present work; null: nothing. */
  findReview(workerId: string, reviewer: string): Promise<ReviewRow | null>;
  dropReviews(workerId: string): Promise<void>;
}

/** What is read or written of reviews by itself. */
export interface ReviewStore {
  /** Takes the place of what the reviewer saw of the worker before. */
  saveReview(review: ReviewRow): Promise<void>;
  /** What a reviewer has seen, the newest first. */
  listReviews(reviewer: string): Promise<readonly ReviewRow[]>;
}
