/** When has everything run that could run without time going on? */

/** Resolves after every promise callback that is ready, and every one that these make ready. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
