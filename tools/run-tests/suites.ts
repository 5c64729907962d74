/** Divides the test files into `npm test`, `npm run test:extended` and `npm run nightly`. docs/adr/0026-two-suites-of-tests.md says what decides. */
import { availableParallelism } from 'node:os';

/** End of the names of files that only `npm run test:extended` runs. */
export const EXTENDED_END = '.extended.test.ts';
/** End of the names of files that only `npm run nightly` runs. */
const NIGHTLY_END = '.nightly.test.ts';

/** Files that run at once: these wait for real programs for most of their time, and with two for each core they left 40 % of the processors idle. */
const EXTENDED_WORKERS = Math.min(9, availableParallelism() * 3);

/** Arguments that make Vitest run each suite: the files, by their names. */
export const SUITES = {
  usual: ['--exclude', `**/*${EXTENDED_END}`, '--exclude', `**/*${NIGHTLY_END}`],
  // A filter: files whose path has it.
  extended: [EXTENDED_END, `--maxWorkers=${EXTENDED_WORKERS}`],
  nightly: [NIGHTLY_END],
} as const satisfies Readonly<Record<string, readonly string[]>>;
