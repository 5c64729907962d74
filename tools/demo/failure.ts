// Errors that end the demo early: a broken promise, or a person.

/** Error of a demo that is not as promised. The message is for people. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** A person ended the demo. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Waits in steps until a look finds something. @throws {DemoFailure} when the time is over, or the signal's reason. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { what, withinMs, signal }: { what: string; withinMs: number; signal?: AbortSignal },
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    signal?.throwIfAborted();
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new DemoFailure(`Waited ${withinMs / 1_000} s in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** Time between two looks, in milliseconds: short beside everything that the demo measures. */
const POLL_EVERY_MS = 20;
