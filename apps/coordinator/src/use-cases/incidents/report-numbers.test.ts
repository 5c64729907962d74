/** Failed tools are summed up by class: what Drover did, and how each ended. */
import { makeError } from '@drover/core';
import type { ErrorFields } from '@drover/core';
import type { ListedError } from '@drover/store';
import { expect, test } from 'vitest';
import { reportNumbers } from './report-numbers.ts';

const NONE = { incidents: [], episodes: [], escalations: [] };

function failed(toolClass: string, fields: Partial<ErrorFields>, more: Partial<ListedError>): ListedError {
  const error = makeError('TOOL_FAILED', {
    id: 'e',
    now: 1,
    component: 'tool:Bash',
    context: { toolClass },
    ...fields,
  });
  const row = { incidentId: null, workerId: 'w', machineId: 'm', detectMs: null, calledOffAt: null, evidence: null };
  return { ...error, ...row, outcome: null, ...more };
}

test('given failed tools of several classes, when they are summed up, then each class tells what was done and how it ended', () => {
  const errors = [
    failed('network', { strategy: 'retry' }, { recovered: true }),
    failed('network', { strategy: 'retry' }, { recovered: true }),
    failed('network', { strategy: 'skip' }, { recovered: true }),
    failed('permission', { strategy: 'escalate' }, { incidentId: 'i', recovered: true, outcome: 'resolved' }),
    failed('external', { strategy: 'skip' }, { incidentId: 'j' }),
    failed('unknown', {}, { outcome: 'cancelled' }),
  ];

  const { tools, inAll } = reportNumbers({ ...NONE, errors });

  const zero = { retried: 0, filed: 0, asked: 0, logged: 0, recovered: 0, answered: 0, calledOff: 0 };
  expect(tools).toEqual([
    { ...zero, class: 'network', count: 3, retried: 2, filed: 1, recovered: 3 },
    { ...zero, class: 'external', count: 1, asked: 1 },
    { ...zero, class: 'permission', count: 1, asked: 1, answered: 1 },
    { ...zero, class: 'unknown', count: 1, logged: 1, calledOff: 1 },
  ]);
  expect(inAll).toEqual({ errors: 6, over: 4 });
});

test('given an error of no tool, when it is summed up, then no class counts it', () => {
  const crash = failed('', { context: {} }, { recovered: true });

  expect(reportNumbers({ ...NONE, errors: [crash] })).toMatchObject({ tools: [], inAll: { errors: 1, over: 1 } });
});
