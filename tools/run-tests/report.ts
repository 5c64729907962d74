/** Reads what a run of the tests leaves behind: its tests, how each ended and how long it took. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The checkout that is tested. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/** Path of the report, relative to the repository: not among the checkout's own files. */
export const REPORT_FILE = 'node_modules/.cache/test-times.json';

/** Fields that are read here of what Vitest's JSON reporter writes. Times are milliseconds. */
export interface Report {
  readonly testResults: readonly {
    /** The file, with its whole path. */
    readonly name: string;
    readonly status: string;
    /** Error outside of its tests, such as while it was loaded. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** Reads what the last run left. @returns null when no run has left anything. */
export function readReport(file = REPORT_FILE): Report | null {
  try {
    return JSON.parse(readFileSync(path.join(REPOSITORY, file), 'utf8')) as Report;
  } catch {
    return null;
  }
}
