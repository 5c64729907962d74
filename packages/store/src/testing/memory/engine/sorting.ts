// Rows come out of a store in memory sorted by time, and by id where times are equal, as the SQL sorts them.

/** The place of a row in a list that is sorted so. */
interface TimePlace {
  readonly at: number;
  readonly id: string;
}

/** Tells whether the row comes after that place in a list that is sorted newest first. */
export function comesAfter({ at, id }: TimePlace, after: TimePlace | undefined): boolean {
  return after === undefined || at < after.at || (at === after.at && id < after.id);
}

/** Sorts newest first by a time and an id. */
export function newestFirst<T>(by: (row: T) => readonly [number, string]): (one: T, other: T) => number {
  return (one, other) => {
    const [time, id] = by(one);
    const [otherTime, otherId] = by(other);
    if (time !== otherTime) return otherTime - time;
    return id < otherId ? 1 : -1;
  };
}
