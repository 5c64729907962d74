/** Waits until everything has run that can run without time going on. */

/** Resolves after every ready promise callback, and after every callback that these make ready. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
