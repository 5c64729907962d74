/** Which files are `npm test`, and which `npm run test:extended`? docs/adr/0026-two-suites-of-tests.md says what decides. */

/** How the name of a file ends that only `npm run test:extended` runs. */
export const EXTENDED_END = '.extended.test.ts';

/** What Vitest is given to run each suite: the files, by their names. */
export const SUITES = {
  usual: ['--exclude', `**/*${EXTENDED_END}`],
  // A filter: files whose path has it.
  extended: [EXTENDED_END],
} as const satisfies Readonly<Record<string, readonly string[]>>;
