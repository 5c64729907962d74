// Checks that the checker of places sees work on a machine that should not get it. Each is broken on purpose here.
import { newWorker } from '@drover/core';
import { MemoryDatabase, workerOptions } from '@drover/store/testing';
import type { Machine, WorkerRow } from '@drover/store';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { PlaceChecks } from './places.ts';

const CHOSEN = { machine: { id: 'm', why: 'it is the only machine that can take it' } };
const ROW: WorkerRow = {
  id: 'w',
  projectId: 'p',
  machineId: 'm',
  name: 'adam',
  options: { ...workerOptions(), labels: ['gpu'], chosen: CHOSEN },
  version: 1,
  createdAt: 60_000,
  updatedAt: 1,
  state: newWorker(),
};
const MACHINE = {
  id: 'm',
  name: 'big',
  cordon: null,
  labels: ['gpu'],
  capacity: 2,
  checkouts: {},
} as unknown as Machine;
const CORDON = { since: 0, by: 'mia', drain: null };
const FAILED = {
  p: { root: '/r', state: 'failed', error: { code: 'no-access', message: 'no access' }, at: 0 },
} as const;

test('given a machine that is open, has room and the label, when a worker goes there, then every promise is kept', () => {
  expect(broken({}, [])).toBeNull();
});

test.each<[string, Partial<Machine>, Partial<WorkerRow>[], string]>([
  ['a machine that is cordoned', { cordon: CORDON }, [], 'closed by mia'],
  ['a machine without its label', { labels: ['fast'] }, [], 'lacks gpu'],
  ['a machine that is full', { capacity: 1 }, [{ id: 'v', name: 'bea' }], '2 of 1 workers'],
  ['a machine with its namesake in one checkout', {}, [{ id: 'v', projectId: 'q' }], 'has a worker of that name'],
  ['a machine that could not get its project', { checkouts: FAILED }, [], 'nobody says so'],
])('given %s, when a worker goes there, then the promise counts as broken', (_what, machine, others, said) => {
  expect(broken(machine, others)).toContain(said);
});

test('given a worker whose place nothing explains, when it is committed, then the promise counts as broken', () => {
  expect(broken({}, [], { options: { ...ROW.options, chosen: {} } })).toContain('nothing says why');
});

test('given a machine that is cordoned, when a worker there is given a task, then the promise counts as broken', () => {
  const { checks, database, tally } = watched({ cordon: CORDON });
  database.workers.set('w', ROW);

  const event = { kind: 'start-requested', taskId: 't', prompt: 'do it', text: 'do it' } as const;
  checks.checkTask({ id: 1, workerId: 'w', workerName: 'adam', event, reply: { kind: 'accepted' } as never });

  expect(tally.violation).toContain('closed by mia');
});

test('given an item for another role, when a worker takes it, then the promise counts as broken', () => {
  const { checks, database, tally } = watched({});
  database.workers.set('w', ROW);
  database.queueItems.set('i', { taskId: 't', projectId: 'p', source: { role: 'reviewer' } } as never);

  const event = { kind: 'start-requested', taskId: 't', prompt: 'do it', text: 'do it' } as const;
  checks.checkTask({ id: 1, workerId: 'w', workerName: 'adam', event, reply: { kind: 'accepted' } as never });

  expect(tally.violation).toContain('takes an item for a reviewer');
});

test.each<[string, Partial<WorkerRow>[], Partial<WorkerSettings['project']>, string]>([
  ['the place of another project', [], { id: 'q' }, 'in the place of another project'],
  ['a commit of another project', [], {}, 'which is of another project'],
  ['a place with a namesake', [{ id: 'v', projectId: 'q' }], {}, 'two workers of that name in one place'],
])('given %s, when a machine acts in it, then the promise counts as broken', (what, others, project, said) => {
  const { checks, database, tally } = watched({});
  for (const other of others) database.workers.set(other.id ?? '', { ...ROW, ...other });
  database.workers.set('w', ROW);
  const commit = what.startsWith('a commit') ? OTHERS : null;
  const settings = { workerId: 'w', name: 'adam', project: { id: 'p', ...project } } as WorkerSettings;

  checks.checkActed(settings, { machine: 'big', what: { kind: 'candidate', at: commit } as never, epoch: undefined });

  expect(tally.violation).toContain(said);
});

const OTHERS = `1${'0'.repeat(38)}7`;

function projectOf(commit: string): string {
  return commit === OTHERS ? 'q' : 'p';
}

function watched(machine: Partial<Machine>) {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  database.machines.set('m', { ...MACHINE, ...machine, accessTokenSha256: null });
  return { database, tally, checks: new PlaceChecks({ database, tally, repository: { projectOf } }) };
}

function broken(
  machine: Partial<Machine>,
  others: readonly Partial<WorkerRow>[],
  change: Partial<WorkerRow> = {},
): string | null {
  const { checks, database, tally } = watched(machine);
  for (const other of others) database.workers.set(other.id ?? '', { ...ROW, ...other });
  const row = { ...ROW, ...change };
  database.workers.set(row.id, row);
  checks.checkRow(row, undefined);
  return tally.violation;
}
