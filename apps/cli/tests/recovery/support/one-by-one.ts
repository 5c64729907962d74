/** Who changes a source that many scenarios share, and when? One after the other: git's lock of one is a failure of the other. */

const lasts = new WeakMap<object, Promise<unknown>>();

/** Runs an act once all that were given for this place before have ended, well or not. */
export function oneByOne<T>(place: object, act: () => Promise<T>): Promise<T> {
  const mine = (lasts.get(place) ?? Promise.resolve()).then(act);
  lasts.set(
    place,
    mine.catch(() => undefined),
  );
  return mine;
}
