// Checks that the matrix passes only if something was tested, and all of it passed.
import { expect, test } from 'vitest';
import { chosen, verdictOf } from './verdict.ts';

test('given no container engine, when the matrix ends, then it says that nothing was tested, and does not pass', () => {
  const verdict = verdictOf('connect ENOENT /var/run/docker.sock', []);

  expect(verdict.exitCode).toBe(2);
  expect(verdict.lines.join('\n')).toContain('NOTHING WAS TESTED');
  expect(verdict.lines.join('\n')).toContain('/var/run/docker.sock');
});

test('given an engine, when nothing was asked of it, then it does not pass', () => {
  expect(verdictOf(null, []).exitCode).toBe(2);
});

test('given an arrangement that failed, when the others passed, then it does not pass, and names it', () => {
  const outcomes = [
    { name: 'postgres-17', passed: true },
    { name: 'postgres-18', passed: false },
  ];

  expect(verdictOf(null, outcomes)).toEqual({
    lines: ['postgres-17: passed', 'postgres-18: FAILED', '1 passed, 1 failed'],
    exitCode: 1,
  });
  expect(verdictOf(null, outcomes.slice(0, 1)).exitCode).toBe(0);
});

test('given a name that there is not, when it is asked for, then it is refused with those that there are', () => {
  expect(chosen([], ['standby', 'pgbouncer'])).toEqual(['standby', 'pgbouncer']);
  expect(chosen(['standby'], ['standby', 'pgbouncer'])).toEqual(['standby']);
  expect(() => chosen(['postgres-9'], ['standby', 'pgbouncer'])).toThrow('postgres-9; there are: standby, pgbouncer');
});
