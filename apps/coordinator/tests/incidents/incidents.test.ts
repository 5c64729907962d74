/** Decisions open, raise and close incidents. */
import { newWorker } from '@drover/core';
import type { DecisionRecord, Incident, Worker } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import type { About } from '../../src/loop/about.ts';
import { incidentRows } from '../../src/loop/incidents.ts';
import { changed, incidentOf } from '../support/scene.ts';

test('given no incident, when one opens, then its row is open, of this worker and its task', () => {
  const [row, ...others] = incidentRows(about(null, crash()));

  expect(others).toEqual([]);
  expect(row).toMatchObject({ id: 'i', workerName: 'adam', code: 'AGENT_CRASHED', level: 1, closedAt: null });
});

test('given an incident, when nothing of it changes, then nothing is written', () => {
  expect(incidentRows(about(crash(), crash()))).toEqual([]);
});

test('given an incident, when it is raised, then its row says so', () => {
  expect(incidentRows(about(crash(), crash({ level: 2, attempts: 3 })))).toMatchObject([{ level: 2, attempts: 3 }]);
});

test.each([
  ['it works again', recovered('i'), 'recovered', 2],
  ['a person answers', answered('retry'), 'resolved', 1],
  ['a person takes over', answered('take-over'), 'escalated', 1],
  ['nothing says how', null, 'cancelled', 1],
] as const)('given an incident, when it ends and %s, then its outcome is told', (_, record, outcome, attempts) => {
  const [row] = incidentRows(about(crash(), null, record === null ? [] : [record]));

  expect(row).toMatchObject({ id: 'i', closedAt: 50, outcome, attempts });
});

test('given an incident, when another takes its place, then the one is closed and the other open', () => {
  const rows = incidentRows(about(crash(), crash({ id: 'j', code: 'INPUT_LOST' })));

  expect(rows.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['i', 'cancelled'],
    ['j', null],
  ]);
});

test('given an incident that is over within the same decision, when it is written, then it is closed at once', () => {
  expect(incidentRows(about(null, null, [recovered('k')]))).toMatchObject([
    { id: 'k', outcome: 'recovered', closedAt: 50 },
  ]);
});

test('given a worker that is removed, when its incident was open, then it is closed', () => {
  expect(incidentRows(about(crash(), crash(), [{ kind: 'gone' }]))).toMatchObject([{ id: 'i', outcome: 'cancelled' }]);
});

function crash(patch: Partial<Incident> = {}): Incident {
  return incidentOf('i', { attempts: 1, ...patch });
}

function recovered(incident: string): DecisionRecord {
  return { kind: 'recovered', incident, code: 'AGENT_CRASHED', attempts: 2, level: 1, sinceMs: 5 };
}

function answered(option: string): DecisionRecord {
  return { kind: 'escalation-closed', incident: 'i', how: 'resolved', option };
}

function worker(open: Incident | null): Worker {
  return changed(newWorker(), { incident: { open } });
}

function about(before: Incident | null, after: Incident | null, records: readonly DecisionRecord[] = []): About {
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' };
  const project = { id: 'p', name: 'shop', source: '', root: '', defaultBranch: 'main', config };
  return {
    row: { ...ROW, state: worker(before) },
    after: worker(after),
    event: { kind: 'up-requested' },
    by: { kind: 'policy' },
    project: { ...project, mergeWorkerId: null, trust: {} },
    machine: null,
    records,
    fresh: 'i',
    now: 50,
  };
}

const ROW: Omit<WorkerRow, 'state'> = {
  id: 'w',
  projectId: 'p',
  machineId: 'm',
  name: 'adam',
  options: workerOptions({ profile: 'claude' }),
  version: 1,
  createdAt: 1,
  updatedAt: 1,
};
