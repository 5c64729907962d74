/** Names each contradiction between rows, the schema, machines and places. On facts made by hand. */
import { newWorker, type Worker, type WorkerStatus } from '@drover/core';
import { SUPPLIES } from '@drover/core/testing';
import type { Inventory } from '@drover/protocol';
import type { Machine, Project, SshMachine, WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import type { DoctorFacts, Finding } from './facts.ts';
import { examinePlaces } from './places.ts';
import { examineRows } from './rows.ts';
import { DEFAULT_LEASES } from '../../context/leases.ts';

const [NOW, MINUTE_MS] = [10_000_000, 60_000];
const BLANK = newWorker();
const UP: Worker = {
  ...BLANK,
  lifecycle: { ...BLANK.lifecycle, status: 'idle' },
  session: { ...BLANK.session, pane: { kind: 'up', incarnation: 'i', since: 0, seen: null } },
};

const MACHINE: Machine = {
  id: 'm',
  name: 'laptop',
  publicKey: 'k',
  facts: null,
  places: { workspace: '/w', roots: { shop: '/r' } },
  checkouts: {},
  epoch: 1,
  agentEpoch: null,
  storedThrough: 0,
  version: null,
  lastSeenAt: NOW,
  dialledUrl: null,
  accessTokenExpiresAt: null,
  revokedAt: null,
  rotateSince: null,
  cordon: null,
  labels: [],
  capacity: null,
  address: null,
  condition: null,
  isGateway: false,
  ssh: null,
};

const SSH: SshMachine = {
  connection: { destination: 'ada@laptop', port: null, identity: null, jump: null, carrier: null },
  onlyGateway: null,
  expected: null,
  pinned: ['ssh-ed25519 AAAAIA=='],
  hostId: 'h',
  gateway: { id: 'g', name: 'home', until: NOW + 1 },
  epoch: 1,
  state: null,
  away: null,
  findings: [],
};

const NO_TMUX = {
  check: 'tmux',
  level: 'problem',
  says: 'tmux is missing',
  help: 'Install it',
  command: 'sudo apt-get install tmux',
} as const;

const PROJECT: Project = {
  id: 'p',
  name: 'shop',
  source: '/s',
  root: '/r',
  defaultBranch: 'main',
  config: { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' },
  mergeWorkerId: null,
  trust: {},
};

const INVENTORY: Inventory = {
  kind: 'inventory',
  at: NOW,
  git: { name: 'U', email: 'u@x', hooksPath: null },
  programs: [],
  freeBytes: 2 ** 40,
  worktrees: [],
  strays: [],
  branches: [],
  sessions: [],
  looseAgents: [],
  workers: [],
  commands: {},
};

function rowOf(state: Partial<Worker> = {}): WorkerRow {
  return {
    id: 'w',
    projectId: 'p',
    machineId: 'm',
    name: 'adam',
    options: workerOptions(),
    state: { ...UP, ...state },
    version: 1,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** Builds a damaged row: with a state that no build ever wrote. */
function damaged(): WorkerRow {
  const status = JSON.parse('"dancing"') as WorkerStatus;
  return rowOf({ lifecycle: { ...UP.lifecycle, status } });
}

interface Situation {
  readonly rows?: readonly WorkerRow[];
  readonly machine?: Partial<Machine>;
  readonly gateways?: readonly Machine[];
  readonly project?: Partial<Project>;
  readonly inventory?: Partial<Inventory>;
}

function found({ rows = [], machine, gateways = [], project, inventory }: Situation): readonly Finding[] {
  const [one, other] = [
    { ...MACHINE, ...machine },
    { ...PROJECT, ...project },
  ];
  const places = [{ machine: one, project: other, inventory: { ...INVENTORY, ...inventory }, why: '' }];
  const facts: DoctorFacts = {
    now: NOW,
    leases: DEFAULT_LEASES,
    workers: rows,
    projects: [other],
    machines: [one],
    gateways,
    places,
  };
  return [...examineRows(facts), ...examinePlaces(facts)].filter(({ level }) => level !== 'ok');
}

const ADAM = { workerId: 'w', name: 'adam' };
const SESSION = { ...ADAM, profile: 'sim', conversation: null, incarnation: 'i', dead: false, screen: null };
const WORKTREE = {
  name: 'adam',
  path: '/r/.worktrees/adam',
  branch: 'drover/adam',
  gone: false,
  dirty: 0,
  rebasing: false,
  unmerged: 0,
};
const IN_PLACE = { sessions: [SESSION], worktrees: [WORKTREE] };
const LACKING = { ...SUPPLIES, copied: { count: 0, bytes: 0 } };
const READY: Partial<Worker> = { worktree: { ...UP.worktree, place: { kind: 'ready', base: 'main' } } };

test('given a worker with its session and its worktree, when the doctor looks, then nothing is found', () => {
  expect(found({ rows: [rowOf(READY)], inventory: IN_PLACE })).toEqual([]);
});

test.each<[string, Situation, Partial<Finding>]>([
  [
    'a row in a state that there is none of',
    { rows: [damaged()], inventory: IN_PLACE },
    { check: 'rows', about: 'adam', level: 'problem', help: expect.stringContaining('--restore') },
  ],
  [
    'a worktree without a file that the project names',
    {
      rows: [rowOf({ worktree: { ...UP.worktree, place: { kind: 'ready', base: 'main' }, supplies: LACKING } })],
      inventory: IN_PLACE,
    },
    {
      check: 'supplies',
      about: 'adam',
      level: 'warning',
      says: expect.stringContaining('".env"'),
      help: 'drover why adam',
    },
  ],
  [
    'a merge lease without a worker',
    { project: { mergeWorkerId: 'gone' } },
    { check: 'merges', about: 'shop', level: 'problem', says: expect.stringContaining('a worker that is gone') },
  ],
  [
    'a silent machine with a worker',
    { rows: [rowOf(READY)], machine: { lastSeenAt: NOW - 5 * MINUTE_MS }, inventory: IN_PLACE },
    {
      check: 'machine',
      about: 'laptop',
      level: 'problem',
      says: 'silent for 5 min; 1 worker(s) are on it',
    },
  ],
  [
    'a silent machine without one',
    { machine: { lastSeenAt: null } },
    { check: 'machine', about: 'laptop', level: 'warning', says: expect.stringContaining('never connected') },
  ],
  [
    'a host whose key has changed',
    { machine: { ssh: { ...SSH, state: { kind: 'key-changed', key: 'ssh-ed25519 AAAAIQ==', since: 0 } } } },
    { check: 'machine', about: 'laptop', level: 'problem', help: 'drover machine trust laptop' },
  ],
  [
    'a host that lacks a program',
    { machine: { ssh: { ...SSH, findings: [NO_TMUX], state: { kind: 'lacks', since: 0 } } } },
    { check: 'host', about: 'laptop', level: 'problem', help: 'sudo apt-get install tmux   (on that host)' },
  ],
  [
    'a revoked gateway',
    { gateways: [{ ...MACHINE, name: 'home', isGateway: true, revokedAt: 1 }] },
    { check: 'gateway', about: 'home', level: 'warning', help: 'drover gateway remove home' },
  ],
  [
    'a machine over SSH that no gateway serves',
    { machine: { ssh: { ...SSH, gateway: null } } },
    { check: 'machine', about: 'laptop', level: 'problem', help: 'drover server gateway   (or drover up)' },
  ],
  [
    'a machine of the future',
    { machine: { lastSeenAt: NOW + 5 * MINUTE_MS } },
    { check: 'times', about: 'laptop', level: 'warning' },
  ],
  [
    'a program that is missing',
    { inventory: { programs: [{ name: 'claude', path: '/no/claude', version: null }] } },
    { check: 'program', about: 'claude on laptop', level: 'problem', help: expect.stringContaining('/no/claude') },
  ],
  [
    'a profile that the machine does not know',
    { inventory: { programs: [{ name: 'mine', path: '', version: null }] } },
    { check: 'program', about: 'mine on laptop', level: 'problem', help: 'drover profile' },
  ],
  [
    'a disk that is nearly full',
    { inventory: { freeBytes: 2 ** 29 } },
    { check: 'disk', about: 'laptop', level: 'problem', says: expect.stringContaining('0.5 GiB are free') },
  ],
  [
    'a row without its worktree',
    { rows: [rowOf(READY)], inventory: { sessions: [SESSION] } },
    {
      check: 'worktrees',
      about: 'adam',
      level: 'problem',
      says: expect.stringContaining('by itself within a minute'),
      help: 'drover why adam',
    },
  ],
  [
    'a row without its worktree, that is stopped',
    { rows: [rowOf({ ...READY, lifecycle: { ...UP.lifecycle, wanted: 'down' } })] },
    { check: 'worktrees', about: 'adam', level: 'problem', help: 'drover worker checkpoint adam' },
  ],
  [
    'a worktree whose .git is not the one that Drover made',
    { rows: [rowOf(READY)], inventory: { sessions: [SESSION], strays: ['/r/.worktrees/adam'] } },
    {
      check: 'worktrees',
      about: 'adam',
      level: 'problem',
      help: expect.stringContaining('mv /r/.worktrees/adam/.git somewhere else'),
    },
  ],
  [
    'a row without its session',
    { rows: [rowOf(READY)], inventory: { worktrees: [WORKTREE] } },
    { check: 'sessions', about: 'adam', level: 'warning' },
  ],
  [
    'a branch that is kept of a worker that is gone',
    {
      inventory: {
        worktrees: [{ ...WORKTREE, name: 'lost', path: '/r/.worktrees/lost', gone: true, dirty: null }],
        branches: [{ name: 'lost', head: 'a', ahead: 2, base: 'b', subject: 'Half' }],
      },
    },
    { check: 'branches', level: 'warning', says: expect.stringContaining('2 commit(s)'), help: expect.anything() },
  ],
  [
    'a session without a row',
    { inventory: { sessions: [SESSION] } },
    { check: 'sessions', about: 'drover-adam', level: 'warning', help: expect.stringContaining('--rebuild') },
  ],
])('given %s, when the doctor looks, then that alone is told, with what helps', (_, situation, finding) => {
  expect(found(situation)).toEqual([expect.objectContaining(finding)]);
});

test.each([
  ['idle', 'its worktree is not clean while it is idle: 2 changed file(s) that are not committed'],
  ['working', undefined],
] as const)(
  'given changed files and a worker that is %s, when the doctor looks, then those of one at rest are told',
  (status, says) => {
    const row = rowOf({ ...READY, lifecycle: { ...UP.lifecycle, status } });

    const told = found({ rows: [row], inventory: { ...IN_PLACE, worktrees: [{ ...WORKTREE, dirty: 2 }] } });

    expect(told.find(({ check }) => check === 'worktrees')?.says).toBe(says);
  },
);
