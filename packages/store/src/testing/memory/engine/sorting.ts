// Rows come out of a store in memory sorted by time, and by id where times are equal, as the SQL sorts them.

/** Newest first by a time and an id. */
export function newestFirst<T>(by: (row: T) => readonly [number, string]): (one: T, other: T) => number {
  return (one, other) => {
    const [time, id] = by(one);
    const [otherTime, otherId] = by(other);
    if (time !== otherTime) return otherTime - time;
    return id < otherId ? 1 : -1;
  };
}
