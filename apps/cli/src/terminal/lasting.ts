/** What a person who waits is told meanwhile. */

/** How long something must have been the matter, in milliseconds: a gateway takes a new machine within about a second, and a machine may miss one answer. */
export const LASTING_MS = 3_000;

/**
 * Says what is the matter once it has lasted, and only once as long as it is the same.
 *
 * @returns to be called each time that the machine is asked for; null: nothing is the matter.
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
