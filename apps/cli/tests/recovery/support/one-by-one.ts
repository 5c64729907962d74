/** Serializes changes of a source that many scenarios share: git's lock for one change would fail another. */

const lasts = new WeakMap<object, Promise<unknown>>();

/** Runs an act after all previous acts for this place have ended, well or not. */
export function oneByOne<T>(place: object, act: () => Promise<T>): Promise<T> {
  const mine = (lasts.get(place) ?? Promise.resolve()).then(act);
  lasts.set(
    place,
    mine.catch(() => undefined),
  );
  return mine;
}
