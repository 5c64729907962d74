/** Lets gits work at the same time that do not get in each other's way. */

/** Waits for all acts, also where one fails: none goes on after the return. @throws what the first of them threw. */
export async function together<T extends readonly unknown[]>(acts: {
  readonly [K in keyof T]: Promise<T[K]>;
}): Promise<T> {
  await Promise.allSettled(acts);
  return Promise.all(acts) as Promise<unknown> as Promise<T>;
}
