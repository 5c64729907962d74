/** Starts programs for the process of the tests that started it, and ends with it. */
import type { RunOptions, RunResult } from '../../src/index.ts';
import { runHere } from './run-here.ts';

interface Wanted {
  readonly id: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly options: RunOptions;
}

/** Answer when a program has ended, or could not run. */
export type Answer =
  | { readonly id: number; readonly result: RunResult }
  | { readonly id: number; readonly failed: string };

process.on('message', (message) => {
  // Trusts the message: only the process that started this one writes here.
  const { id, program, args, options } = message as Wanted;
  runHere(program, args, options).then(
    (result) => answer({ id, result }),
    (error: unknown) => answer({ id, failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

function answer(words: Answer): void {
  process.send?.(words);
}
