// The policies under which decisions were taken.

/** A whole policy as it is kept. `createdAt` is when it was first decided under, epoch milliseconds. */
export interface PolicyRow {
  readonly version: string;
  readonly document: unknown;
  readonly createdAt: number;
}
