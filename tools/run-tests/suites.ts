/** Divides the test files into `npm test`, `npm run test:extended` and `npm run nightly`. docs/adr/0026-two-suites-of-tests.md says what decides. */
/** End of the names of files that only `npm run test:extended` runs. */
export const EXTENDED_END = '.extended.test.ts';
/** End of the names of files that only `npm run nightly` runs. */
export const NIGHTLY_END = '.nightly.test.ts';

/** Arguments that make Vitest run each suite: the files, by their names. */
export const SUITES = {
  usual: ['--exclude', `**/*${EXTENDED_END}`, '--exclude', `**/*${NIGHTLY_END}`],
  // A filter: files whose path has it.
  extended: [EXTENDED_END],
  nightly: [NIGHTLY_END],
} as const satisfies Readonly<Record<string, readonly string[]>>;
