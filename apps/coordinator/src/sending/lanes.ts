/** Runs a few pieces of work at once. */

/** Runs every piece, `lanes` at once, in the order given. @param doOne Must not throw. */
export async function inLanes<T>(
  pieces: Iterable<T>,
  lanes: number,
  doOne: (piece: T) => Promise<void>,
): Promise<void> {
  const waiting = pieces[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await doOne(next.value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
