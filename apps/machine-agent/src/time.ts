/** Waits with a deadline, on a given clock. */
import { type LocalClock, pause } from '@drover/base';

/**
 * Aborts the controller as soon as one of the signals has fired: like `AbortSignal.any`, but with an owner that ends it. Node keeps weak
 * references for each signal of `any`, which the garbage collector has to look through, and for ever one that somebody still listens to.
 *
 * @returns a function that ends that; call it when nothing waits for the controller any more.
 */
export function follow(controller: AbortController, ...signals: readonly AbortSignal[]): () => void {
  const pass = ({ reason }: AbortSignal) => controller.abort(reason);
  const fired = signals.find(({ aborted }) => aborted);
  if (fired !== undefined) pass(fired);
  const ends = signals.map((signal) => {
    const listener = (): void => pass(signal);
    signal.addEventListener('abort', listener);
    return () => signal.removeEventListener('abort', listener);
  });
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Repeats work that must not be lost, such as a record on a full disk, until it succeeds or the signal fires.
 *
 * @returns undefined when it never succeeded.
 */
export async function insist<T>(
  clock: LocalClock,
  work: () => T,
  { everyMs, signal, onTrouble }: { everyMs: number; signal: AbortSignal; onTrouble: (error: unknown) => void },
): Promise<T | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return work();
    } catch (error) {
      if (failures === 0) onTrouble(error);
      await pause(clock, everyMs, signal);
    }
  }
  return undefined;
}
