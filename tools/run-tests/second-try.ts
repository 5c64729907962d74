/** Runs failed tests once more, alone, and reports on them. docs/adr/0026-two-suites-of-tests.md says why. */
import path from 'node:path';
import { REPOSITORY } from './report.ts';
import type { Report } from './report.ts';

/** Files that may fail by chance; more than these are not run again. */
const FILES_MAX = 3;

/** Lines of what went wrong that are shown of each test. */
const LINES_MAX = 20;

/** A test that failed. */
export interface Failure {
  /** Relative to the repository. */
  readonly file: string;
  readonly test: string;
  readonly lines: readonly string[];
}

/** The tests that failed, and the files that could not be run at all. */
export function failuresOf({ testResults }: Report): readonly Failure[] {
  return testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = path.relative(REPOSITORY, name);
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length > 0)
      return failed.map(({ fullName, failureMessages }) => ({
        file,
        test: fullName,
        lines: shortened((failureMessages ?? []).join('\n')),
      }));
    return status === 'failed' ? [{ file, test: '(the file itself)', lines: shortened(message) }] : [];
  });
}

function shortened(message: string): readonly string[] {
  // Colours of a terminal: the report is read in files too.
  // oxlint-disable-next-line no-control-regex
  const lines = message.replaceAll(/\u001B\[[0-9;]*m/gu, '').split('\n');
  const words = lines.filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/u.test(line));
  return words.length > LINES_MAX ? [...words.slice(0, LINES_MAX - 1), '…'] : words;
}

/**
 * The files to run once more: few, each on real parts, where what else the machine does can decide. Rules and tables know no
 * chance, and a property that broke once is broken.
 *
 * @returns none when one of the files may not.
 */
export function filesForSecondTry(failures: readonly Failure[]): readonly string[] {
  const files = [...new Set(failures.map(({ file }) => file))];
  return files.length <= FILES_MAX && files.every(hasRealParts) ? files : [];
}

function hasRealParts(file: string): boolean {
  return (
    /^(?:(?:apps|packages)\/[^/]+\/tests|tools\/dashboard)\//u.test(file) &&
    !/\.property(?:\.extended)?\.test\.ts$/u.test(file)
  );
}

/** Formats what people read at the end of the run. */
export function told(heading: string, failures: readonly Failure[]): string {
  const each = failures.map(({ file, test, lines }) => [`  ${file}: ${test}`, ...lines.map((line) => `      ${line}`)]);
  return [heading, ...each.flat()].join('\n');
}
