/** Shows on a terminal, in one line that changes, what a command waits for. */
import type { Surroundings } from '../surroundings.ts';
import { age } from './style.ts';

/** Milliseconds between two drawings, and until the first: a command that is done by then shows nothing. */
const EVERY_MS = 1_000;

/** Shows `what`, and for how long, until it is disposed. Output of the command goes above. */
export function openProgress(
  { terminal, now, sleep }: Pick<Surroundings, 'terminal' | 'now' | 'sleep'>,
  what: () => string,
): Disposable {
  if (!terminal.isLive) return { [Symbol.dispose]: () => {} };
  const since = now();
  const over = new AbortController();
  const draw = async (): Promise<void> => {
    for (;;) {
      await sleep(EVERY_MS, over.signal);
      if (over.signal.aborted) return;
      terminal.showProgress(`${what()} … ${age(now() - since)}`);
    }
  };
  void draw();
  return {
    [Symbol.dispose]: () => {
      over.abort();
      terminal.showProgress('');
    },
  };
}
