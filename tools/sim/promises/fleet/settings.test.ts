// Checks that the checker of settings sees a worker that runs with something else. Each is broken on purpose here.
import { policyInForce } from '@drover/coordinator/testing';
import { DEFAULT_POLICY, newWorker } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { MemoryDatabase, workerOptions } from '@drover/store/testing';
import type { WorkerOptions, WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { DEFAULTS } from '../../coordinator/replica.ts';
import { Tally } from '../../runs/tally.ts';
import { SettingsChecks } from './settings.ts';

const OPTIONS: WorkerOptions = { ...workerOptions(), ...DEFAULTS, own: {} };
const { profile, model, skipPermissions, allowedTools, sessionWidth, sessionHeight } = OPTIONS;
const STARTED = { profile, model, skipPermissions, allowedTools, sessionWidth, sessionHeight };
const NEW = newWorker();

test.each([
  ['another model', { model: 'another' }, 'is shown with'],
  ['the same', {}, null],
])('given an agent that was started with %s, when it is shown, then it is held against it', (_what, change, said) => {
  const { checks, tally } = watched();
  checks.started('a life', { ...STARTED, ...change } as WorkerSettings);

  const pane = { kind: 'up', incarnation: 'a life' } as never;
  const started = { ...STARTED, incarnation: 'a life' };
  checks.checkRow(row({ options: { ...OPTIONS, started }, state: { ...NEW, session: { ...NEW.session, pane } } }));

  expect(tally.violation).toEqual(said === null ? null : expect.stringContaining(said));
});

test.each([
  ['open', { model: 'of before' }, [['npm', 'test']], 'is started with'],
  ['validate', {}, [['make', 'before']], 'is checked by'],
  ['validate', {}, [['npm', 'test']], null],
])('given a command %s with %o and checks %o, when it is given, then it is held against the settings', (...given) => {
  const [kind, change, validate, said] = given;
  const { checks, database, tally } = watched();
  database.projects.set('p', { id: 'p', config: { validate: [['npm', 'test']] } } as never);
  database.workers.set('w', row({}));
  const settings = { ...STARTED, ...change, project: { validate } };
  database.outbox.set('c', {
    id: 'c',
    workerId: 'w',
    body: { kind: 'command', seq: 1, command: { kind } },
    settings,
  } as never);

  checks.committed();

  expect(tally.violation).toEqual(said === null ? null : expect.stringContaining(said));
});

test('given a worker that does not follow the configuration, when all is at rest, then the promise counts as broken', () => {
  const { checks, database, tally } = watched();
  database.workers.set('w', row({ options: { ...OPTIONS, own: { model: 'opus' }, model: 'opus' } }));
  checks.checkRest();
  expect(tally.violation).toBeNull();

  database.workers.set('w', row({ options: { ...OPTIONS, model: 'opus' } }));
  checks.checkRest();

  expect(tally.violation).toContain('its model is "opus", and null is configured');
});

test('given a task without the role prompt of that moment, when it is given, then the promise counts as broken', () => {
  const { checks, database, tally } = watched();
  database.workers.set('w', row({ options: { ...OPTIONS, rolePrompt: 'be careful' } }));

  const event = { kind: 'start-requested', taskId: 't', prompt: 'do it', text: 'do it' } as const;
  checks.checkDecision({ workerId: 'w', workerName: 'w', event, reply: {}, decided: null } as never);

  expect(tally.violation).toContain('has not the role prompt');
});

test('given a worker that is out of the pool, when it takes an item, then the promise counts as broken', () => {
  const { checks, database, tally } = watched();
  database.workers.set('w', row({ options: { ...OPTIONS, excludedFromPool: true } }));
  database.queueItems.set('i', { taskId: 't' } as never);

  const event = { kind: 'start-requested', taskId: 't', prompt: 'do it', text: 'do it' } as const;
  checks.checkDecision({ workerId: 'w', workerName: 'w', event, reply: {}, decided: null } as never);

  expect(tally.violation).toContain('out of the pool');
});

test('given a project whose policy changed long ago, when a decision goes by the former one, then the promise counts as broken', () => {
  const { checks, database, tally, clock } = watched();
  const config = { validate: [] };
  database.projects.set('p', { id: 'p', config } as never);
  database.workers.set('w', row({}));
  checks.committed();
  const policy = { project: { checkpoint: { everyMs: 1_000 } }, workers: {} };
  database.projects.set('p', { id: 'p', config: { ...config, policy } } as never);
  checks.committed();
  const decision = {
    workerId: 'w',
    workerName: 'w',
    event: { kind: 'up-requested' },
    reply: {},
    decided: { policy: OLD },
  };
  checks.checkDecision(decision as never);
  expect(tally.violation).toBeNull();

  clock.now = 60_000;
  checks.checkDecision(decision as never);

  expect(tally.violation).toContain('a former policy');
});

/** The version of the policy without changes. */
const OLD = policyInForce({ policy: DEFAULT_POLICY }, { config: {} } as never, 'w').version;

function row(change: Partial<WorkerRow>): WorkerRow {
  const ids = { id: 'w', projectId: 'p', machineId: 'm', name: 'w' };
  return { ...ids, options: OPTIONS, version: 1, createdAt: 1, updatedAt: 1, state: NEW, ...change };
}

function watched() {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  const clock = { now: 0 };
  const parts = { database, tally, policy: DEFAULT_POLICY, now: () => clock.now, defaults: DEFAULTS };
  return { database, tally, clock, checks: new SettingsChecks(parts) };
}
