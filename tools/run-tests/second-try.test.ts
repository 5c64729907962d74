/** A failed test is run once more only where the machine can be the reason, and people are told what failed. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from './report.ts';
import type { Report } from './report.ts';
import { failuresOf, filesForSecondTry, told } from './second-try.ts';

const SCENARIO = 'apps/cli/tests/recovery/turns/turns.nightly.test.ts';

describe('failuresOf', () => {
  test('given a failed test among others, when it is read, then it is named with what went wrong', () => {
    const report = reportOf({ [SCENARIO]: ['passed', 'failed'] });

    expect(failuresOf(report)).toEqual([
      { file: SCENARIO, test: 'test 2', lines: ['Error: broken', '  at here.ts:1'] },
    ]);
  });

  test('given a file that could not be loaded, when it is read, then the file is the failure', () => {
    const { testResults } = reportOf({ [SCENARIO]: [] });
    const report = { testResults: testResults.map((one) => ({ ...one, status: 'failed', message: 'No such module' })) };

    expect(failuresOf(report)).toEqual([{ file: SCENARIO, test: '(the file itself)', lines: ['No such module'] }]);
  });

  test('given a run in which all passed, when it is read, then there is none', () => {
    expect(failuresOf(reportOf({ [SCENARIO]: ['passed', 'skipped'] }))).toEqual([]);
  });
});

describe('filesForSecondTry', () => {
  test.each([
    ['two tests of a file on real parts', { [SCENARIO]: ['failed', 'failed'] }, [SCENARIO]],
    ['a page in a browser', { 'tools/dashboard/journeys.test.ts': ['failed'] }, ['tools/dashboard/journeys.test.ts']],
    ['a test beside the sources', { 'packages/core/src/next/command.test.ts': ['failed'] }, []],
    ['a property', { 'apps/coordinator/tests/machines/reports.property.test.ts': ['failed'] }, []],
    ['a check of the repository', { 'tools/checks/names/names.test.ts': ['failed'] }, []],
    ['a scenario and a rule', { [SCENARIO]: ['failed'], 'packages/core/src/a.test.ts': ['failed'] }, []],
    [
      'four scenarios',
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`apps/cli/tests/${name}.test.ts`, ['failed']])),
      [],
    ],
  ])('given %s that failed, when it is asked what runs once more, then it is as expected', (_, files, expected) => {
    expect(filesForSecondTry(failuresOf(reportOf(files)))).toEqual(expected);
  });
});

test('given a failure, when people are told, then file, test and reason are there without colours', () => {
  expect(told('failed:', failuresOf(reportOf({ [SCENARIO]: ['failed'] })))).toBe(
    `failed:\n  ${SCENARIO}: test 1\n      Error: broken\n        at here.ts:1`,
  );
});

function reportOf(files: Readonly<Record<string, readonly string[]>>): Report {
  return {
    testResults: Object.entries(files).map(([file, results]) => ({
      name: path.join(REPOSITORY, file),
      status: results.includes('failed') ? 'failed' : 'passed',
      assertionResults: results.map((status, index) => ({
        title: `test ${index + 1}`,
        fullName: `test ${index + 1}`,
        status,
        failureMessages:
          status === 'failed'
            ? ['\u001B[31mError: broken\u001B[39m\n\n  at here.ts:1\n  at x/node_modules/y.js:2']
            : [],
      })),
    })),
  };
}
