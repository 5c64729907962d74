/** Messages to a person during a wait. */

/** Milliseconds that a trouble must have lasted: a gateway takes a new machine within about a second, and a machine may miss one answer. */
export const LASTING_MS = 3_000;

/**
 * Reports a trouble once it has lasted, and only once as long as it is unchanged.
 *
 * @returns a function to call at each poll of the machine; null: there is no trouble.
 */
export function sayWhatLasts(say: (why: string) => void, now: () => number): (why: string | null) => void {
  let seen: { readonly why: string | null; readonly at: number; isTold: boolean } = {
    why: null,
    at: now(),
    isTold: false,
  };
  return (why) => {
    if (why !== seen.why) seen = { why, at: now(), isTold: false };
    if (why === null || seen.isTold || now() - seen.at < LASTING_MS) return;
    seen.isTold = true;
    say(why);
  };
}
