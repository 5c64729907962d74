import { expect, test } from 'vitest';
import { adviseOnToolFailure } from './advise.ts';
import type { ToolFailure } from './failure.ts';
import { historyOf, operationOf, reportOf, type ToolFailureReport } from './report.ts';

const NOW = 1_800_000_000_000;
const AWAY: ToolFailure = {
  tool: 'Bash',
  command: 'npm ci',
  text: 'npm error code ENOTFOUND',
  exitCode: 1,
  phase: null,
};

function report(failure: ToolFailure, facts: Partial<{ at: number; conversation: string; operation: string }> = {}) {
  const history = { retries: 0, sameInTask: 0 };
  const advice = adviseOnToolFailure(failure, { history, now: NOW, random: 0, zone: { offsetMinutes: 0 } });
  return reportOf(failure, advice, { at: NOW, conversation: 'c', operation: 'Bash:1', ...facts });
}

function known(failure: ToolFailure, facts: Parameters<typeof report>[1] = {}): ToolFailureReport {
  const made = report(failure, facts);
  if (made === null) throw new Error('There is nothing to report');
  return made;
}

test('given a failure, when it is reported, then the deciding line is kept and the output is not', () => {
  const made = known({ ...AWAY, text: `${AWAY.text}\nnpm error network password=hunter22hunter` });

  expect(made).toMatchObject({ class: 'network', name: 'npm ci', evidence: 'npm error code ENOTFOUND' });
  expect(JSON.stringify(made)).not.toContain('hunter22');
});

test('given a red test, when it is reported, then there is nothing to report', () => {
  expect(report({ ...AWAY, command: 'npm test', text: 'Tests  2 failed | 40 passed' })).toBeNull();
});

test('given findings of a checker, when they are reported, then they are work and no class of failure', () => {
  const made = known({ ...AWAY, command: 'npx eslint .', text: '✖ 3 problems (3 errors, 0 warnings)' });

  expect(made).toMatchObject({ class: 'findings', action: { kind: 'queue', item: { priority: 'S1' } } });
});

test('given retries of the same call, when history is told, then those of other calls, tasks and hours do not count', () => {
  const before = [
    known(AWAY),
    known(AWAY, { operation: 'Bash:2' }),
    known(AWAY, { conversation: 'another task' }),
    known(AWAY, { at: NOW - 3_600_000 }),
  ];
  const { class: failureClass, signature } = known(AWAY);

  const history = historyOf(before, {
    at: NOW,
    conversation: 'c',
    operation: 'Bash:1',
    class: failureClass,
    signature,
  });

  expect(history).toEqual({ retries: 1, sameInTask: 3 });
});

test('given inputs of a tool, when calls are named, then the same input has the same name and shows nothing of itself', () => {
  const name = operationOf('Bash', '{"command":"curl -H secret"}');

  expect(name).toBe(operationOf('Bash', '{"command":"curl -H secret"}'));
  expect(name).not.toBe(operationOf('Bash', '{"command":"curl -H other"}'));
  expect(name).toMatch(/^Bash:[0-9a-f]{1,8}$/);
});
