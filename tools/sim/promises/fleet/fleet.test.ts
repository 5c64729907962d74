// Checks that the checker sees each promise about places, drains, settings and gateways; `tampering-fleet.nightly.test.ts` shows that schedules break them.
import { policyInForce } from '@drover/coordinator/testing';
import { DEFAULT_POLICY, newWorker } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { workerOptions } from '@drover/store/testing';
import type { Drain, Machine, SshMachine, WorkerOptions, WorkerRow } from '@drover/store';
import { test } from 'vitest';
import { DEFAULTS } from '../../coordinator/replica.ts';
import { expectJudged, rowOf, watched, type Told, type Watched } from '../watched.ts';
import { PlaceChecks } from './places.ts';

const ONE = { id: 'g0', name: 'g0', until: 60_000 };
const OTHER = { id: 'g1', name: 'g1', until: 60_000 };
const REVOKED = { id: 'g2', name: 'g2', until: 60_000 };
const PLAIN: Partial<SshMachine> = { gateway: null, epoch: 1, pinned: [], onlyGateway: null };
const FAILED = { p: { root: '/r', state: 'failed', error: { code: 'no-access', message: 'no access' }, at: 0 } };
const OPTIONS: WorkerOptions = { ...workerOptions(), ...DEFAULTS, own: {} };
const CHOSEN = { machine: { id: 'm', why: 'it is the only machine that can take it' } };
/** Placed where it is with a reason. */
const PLACED: Partial<WorkerRow> = {
  createdAt: 60_000,
  options: { ...workerOptions(), labels: ['gpu'], chosen: CHOSEN },
};
const START = { kind: 'start-requested', taskId: 't', prompt: 'do it', text: 'do it' } as const;
/** A commit of the project `q`. */
const OTHERS = `1${'0'.repeat(38)}7`;

function machine(change: object): Told {
  return ({ database }) => {
    const plain = { id: 'm', name: 'm1', cordon: null, labels: ['gpu'], capacity: 2, checkouts: {}, ssh: null };
    database.machines.set('m', { ...plain, ...change } as unknown as Machine & { accessTokenSha256: null });
  };
}

/** The host is written, as a gateway or a person changed it. */
function host(ssh: Partial<SshMachine>): Told {
  return (parts) => {
    parts.database.machines.set('g2', { id: 'g2', name: 'g2', ssh: null, revokedAt: 1 } as never);
    machine({ ssh: { ...PLAIN, ...ssh } })(parts);
    parts.checker.gateways.committed();
  };
}

function gateways(tell: (checks: Watched['checker']['gateways']) => void): Told {
  return ({ checker }) => tell(checker.gateways);
}

const exited = gateways((checks) => {
  const exit = { incarnation: '1.1.%1.1', status: 1, signal: null, lastLines: [], limit: null, at: 0 };
  checks.checkExit({ event: { kind: 'pane-exited', exit }, rules: ['exit:crash'], workerName: 'w' } as never);
});

function worker(row: Partial<WorkerRow>, id = 'w'): Told {
  return ({ database }) => void database.workers.set(id, rowOf({}, { ...PLACED, ...row, id }));
}

function places(tell: (checks: PlaceChecks, row: WorkerRow) => void): Told {
  return ({ database, tally }) => {
    const repository = { projectOf: (commit: string) => (commit === OTHERS ? 'q' : 'p') };
    const row = database.workers.get('w') ?? rowOf({}, PLACED);
    tell(new PlaceChecks({ database, tally, repository }), row);
  };
}

const added = places((checks, row) => checks.checkRow(row, undefined));
const given = places((checks) =>
  checks.checkTask({ id: 1, workerId: 'w', workerName: 'w', event: START, reply: { kind: 'accepted' } as never }),
);

function acted(project: Partial<WorkerSettings['project']>, commit: string | null = null): Told {
  return places((checks) => {
    const settings = { workerId: 'w', name: 'w', project: { id: 'p', ...project } } as WorkerSettings;
    checks.checkActed(settings, { machine: 'm1', what: { kind: 'candidate', at: commit } as never, epoch: undefined });
  });
}

/** A drain of its machine goes on, a minute after the worker was written. */
function drained(step: Partial<Drain>): Told {
  return (parts) => {
    parts.clock.now = 60_000;
    const state = newWorker();
    worker({ state: { ...state, lifecycle: { ...state.lifecycle, wanted: 'up' } } })(parts);
    const drain = { id: 'd', since: 0, deadline: null, doneAt: null, waits: {}, ...step };
    machine({ cordon: { since: 0, by: 'mia', drain } })(parts);
    parts.checker.fleet.committed();
  };
}

/** A decision of the worker was stored. */
function decided(options: Partial<WorkerOptions>, event: object = START, policy: string | null = null): Told {
  return (parts) => {
    worker({ options: { ...OPTIONS, ...options } })(parts);
    const row = { workerId: 'w', workerName: 'w', event, reply: {}, decided: policy === null ? null : { policy } };
    parts.checker.fleet.settings.checkDecision(row as never);
  };
}

function project(config: object): Told {
  return ({ database, checker }) => {
    database.projects.set('p', { id: 'p', config } as never);
    checker.fleet.settings.committed();
  };
}

/** A command with these settings is given to a worker of which nobody said anything. */
function commanded(kind: 'open' | 'validate', settings: object): Told {
  return (parts) => {
    worker({ options: OPTIONS })(parts);
    const body = { kind: 'command', command: { kind } };
    parts.database.outbox.set('c', { id: 'c', workerId: 'w', body, settings } as never);
    parts.checker.fleet.settings.committed();
  };
}

/** An agent was started with this model, and is shown with no model. */
function runsWith(model: string | null): Told {
  return ({ checker: { fleet } }) => {
    const incarnation = '1.1.%1.1';
    fleet.settings.started(incarnation, { ...OPTIONS, model });
    const state = newWorker();
    const session = { ...state.session, pane: { kind: 'up', incarnation, since: 0, seen: null } as const };
    fleet.settings.checkRow(rowOf({ session }, { options: { ...OPTIONS, started: { ...OPTIONS, incarnation } } }));
  };
}

function rests(options: Partial<WorkerOptions>): Told {
  return (parts) => {
    worker({ options: { ...OPTIONS, ...options } })(parts);
    parts.checker.fleet.settings.checkRest();
  };
}

/** The version of the policy without changes. */
const OLD = policyInForce({ policy: DEFAULT_POLICY }, { config: {} } as never, 'w').version;
const UP = { kind: 'up-requested' };
const POLICY = { project: { checkpoint: { everyMs: 1_000 } }, workers: {} };

test.each<[string, readonly Told[], string | null]>([
  ['a lease that is over', [host({ gateway: { ...ONE, until: -60_000 } }), host({ gateway: OTHER, epoch: 2 })], null],
  ['a lease that goes on', [host({ gateway: ONE }), host({ gateway: OTHER, epoch: 2 })], 'and g0 has its lease'],
  [
    'another gateway under the same epoch',
    [host({ gateway: { ...ONE, until: -60_000 } }), host({ gateway: OTHER })],
    'is taken under the epoch 1, as by the gateway before',
  ],
  [
    'a gateway that acts after another one came',
    [gateways((checks) => checks.claimed('m1', 2)), gateways((checks) => checks.actedBy('m1', 1))],
    'a gateway with the epoch 1 acts, and one with 2 was here',
  ],
  ['an epoch that falls', [host({ epoch: 2 }), host({ gateway: OTHER, epoch: 1 })], 'its epoch fell from 2 to 1'],
  [
    'a host that is for one gateway alone',
    [host({ onlyGateway: ONE }), host({ gateway: OTHER, epoch: 2, onlyGateway: ONE })],
    'and is for g0 alone',
  ],
  ['a gateway that is revoked', [host({}), host({ gateway: REVOKED, epoch: 2 })], 'which is revoked'],
  [
    'a key that nobody confirmed',
    [host({ pinned: ['k 1'] }), host({ pinned: ['k 1', 'k 2'] })],
    'k 2 is pinned, which no',
  ],
  [
    'a login by another key than the confirmed one',
    [
      host({ pinned: ['k 1'] }),
      gateways((checks) => checks.confirms('m1', 'k 2')),
      host({ pinned: ['k 2'] }),
      gateways((checks) => checks.loggedIn('m1', 'k 2')),
      gateways((checks) => checks.loggedIn('m1', 'k 3')),
    ],
    'logs in where k 3 is shown',
  ],
  ['an end of a program that is decided on again', [exited, exited], 'decided on twice'],
  ['a machine that is open, with room and the label', [machine({}), worker({}), added], null],
  ['a machine without its label', [machine({ labels: [] }), worker({}), added], 'which lacks gpu'],
  ['a machine that is full', [machine({ capacity: 1 }), worker({}, 'v'), worker({}), added], 'with 2 of 1 workers'],
  [
    'a machine with its namesake in one checkout',
    [machine({}), worker({ projectId: 'q' }, 'v'), worker({}), added],
    'has a worker of that name',
  ],
  ['a machine that could not get its project', [machine({ checkouts: FAILED }), worker({}), added], 'nobody says so'],
  [
    'a place that nothing explains',
    [machine({}), worker({ options: { ...workerOptions(), chosen: {} } }), added],
    'says why',
  ],
  [
    'a task on a machine that is cordoned',
    [machine({ cordon: { since: 0, by: 'mia', drain: null } }), worker({}), given],
    'closed by mia',
  ],
  [
    'an item for another role',
    [
      machine({}),
      worker({}),
      ({ database }) =>
        void database.queueItems.set('i', { taskId: 't', projectId: 'p', source: { role: 'reviewer' } } as never),
      given,
    ],
    'takes an item for a reviewer',
  ],
  ['an act for another project', [machine({}), worker({}), acted({ id: 'q' })], 'in the place of another project'],
  ['a commit of another project', [machine({}), worker({}), acted({}, OTHERS)], 'which is of another project'],
  [
    'a place with a namesake',
    [machine({}), worker({ projectId: 'q' }, 'v'), worker({}), acted({})],
    'two workers of that name in one place',
  ],
  ['a drain that says what it waits for', [drained({}), drained({ waits: { w: 'is at its task' } })], null],
  ['a drain that says nothing of a worker', [drained({}), drained({})], 'does not say what w waits for'],
  ['a drain that is over too early', [drained({}), drained({ doneAt: 60_000 })], 'is over, and w is there'],
  [
    'a worker that does not follow its settings',
    [rests({ own: { model: 'opus' }, model: 'opus' }), rests({ model: 'opus' })],
    'its model is "opus", and null is configured',
  ],
  ['a start with its settings', [commanded('open', OPTIONS)], null],
  ['a start with other settings', [commanded('open', { ...OPTIONS, model: 'opus' })], 'is started with'],
  [
    'checks that the project has not',
    [project({ validate: ['npm test'] }), commanded('validate', { project: { validate: ['true'] } })],
    'is checked by ["true"]',
  ],
  ['an agent that runs with what is shown', [runsWith(OPTIONS.model)], null],
  ['an agent that runs with another model', [runsWith('opus')], 'and is shown with'],
  ['a task without the role prompt', [decided({ rolePrompt: 'be careful' })], 'has not the role prompt'],
  [
    'an item for a worker that is out of the pool',
    [
      ({ database }) => void database.queueItems.set('i', { taskId: 't' } as never),
      decided({ excludedFromPool: true }),
    ],
    'out of the pool',
  ],
  [
    'a decision by a policy that was changed long ago',
    [
      project({ validate: [] }),
      project({ validate: [], policy: POLICY }),
      decided({}, UP, OLD),
      (parts) => {
        parts.clock.now = 60_000;
        decided({}, UP, OLD)(parts);
      },
    ],
    'a former policy',
  ],
])('given %s, when the checks are told, then each promise is judged', (_what, steps, said) => {
  expectJudged(steps, said);
});

/** Commits are shown to all checks, some at once. */
function shown(ssh: Partial<SshMachine>): Told {
  return (parts) => {
    machine({ ssh: { ...PLAIN, ...ssh } })(parts);
    parts.checker.committed();
  };
}

test.each<[string, readonly Told[], string | null]>([
  ['a lease that may have been given back', [shown({ gateway: ONE }), shown({ gateway: OTHER, epoch: 2 })], null],
  [
    'a login by the key that is pinned',
    [shown({ pinned: ['k 1'] }), gateways((checks) => checks.loggedIn('m1', 'k 1'))],
    null,
  ],
  [
    'a login by another key',
    [shown({ pinned: ['k 1'] }), gateways((checks) => checks.loggedIn('m1', 'k 2'))],
    'logs in where k 2 is shown',
  ],
  ['an epoch that falls', [shown({ epoch: 2 }), shown({ epoch: 1 })], 'its epoch fell from 2 to 1'],
])(
  'given %s, when a real server shows some commits at once, then what needs no single commit is judged',
  (_what, steps, said) => {
    expectJudged(steps, said, watched(false));
  },
);
