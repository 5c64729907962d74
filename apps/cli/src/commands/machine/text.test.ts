// oxlint-disable no-control-regex -- controls are what must not be there
import { expect, test } from 'vitest';
import type { MachineView } from '@drover/api';
import { readEnvironment } from '@drover/config/surroundings';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderText } from '../../terminal/style.ts';
import { drainOf } from './drain.ts';
import { addressFor } from './invite.ts';
import { listingText } from '../../terminal/lists/listing.ts';
import { MACHINES, machineText } from './text.ts';

const TERMINAL = { colours: true, columns: 200 } as Terminal;
const HOSTILE = 'a\u001b[31m\u001b]52;c;eA==\u0007\u202e\nfake  connected';

test('given a machine that joined long ago with a hostile name and facts, when it is listed, then it is one line of text', () => {
  const machine = {
    name: HOSTILE,
    state: 'connected',
    workers: 1,
    lastSeenAt: 0,
    rotateSince: null,
    cordon: null,
    labels: [],
    capacity: null,
    address: null,
    ssh: null,
    warnings: [],
    dialledUrl: HOSTILE,
    facts: { hostname: HOSTILE },
  };

  const when = renderText(listingText([machine as unknown as MachineView], MACHINES, { now: 0, terminal: TERMINAL }));

  const [, line = '', ...others] = when.split('\n');
  expect(others).toEqual([]);
  expect(line.replaceAll(/\u001b\[(?:32|39)m/g, '')).toMatch(
    /^a⟨U\+001B⟩\]52;c;eA==⟨U\+0007⟩⟨U\+202E⟩ fake {2}connected/,
  );
  expect(line.match(/\u001b/g)).toHaveLength(2);
});

test('given a machine whose facts are as long as a message may be, when it is shown, then so much is shown that others are seen beside it', () => {
  const long = 'x'.repeat(16_384);
  const machine = { ...machineOf('big', null), facts: { hostname: long, tmux: `${long}\n${long}`, node: 'v24' } };
  const terminal = { colours: false, columns: Number.POSITIVE_INFINITY } as Terminal;

  for (const when of [
    listingText([machine], MACHINES, { now: 0, terminal }),
    machineText(machine, { now: 0, terminal }),
  ]) {
    expect(renderText(when).length).toBeLessThan(600);
    expect(renderText(when)).toContain('node v24');
  }
});

test('given machines that get no new work, when they are listed, then it is said by whom, and what those that leave wait for', () => {
  const drain = { since: 1, deadline: null, doneAt: null, waits: { adam: 'is at its task', eva: 'moves to "big"' } };
  const machines = [
    machineOf('free', null),
    machineOf('closed', { since: 1, by: 'mia', drain: null }),
    machineOf('leaving', { since: 1, by: 'mia', drain }),
    machineOf('left', { since: 1, by: 'mia', drain: { ...drain, doneAt: 2, waits: {} } }),
  ];

  const [, ...lines] = renderText(
    listingText(machines, MACHINES, { now: 0, terminal: { colours: false, columns: 200 } as Terminal }),
  ).split('\n');

  expect(lines[0]).not.toMatch(/cordoned|drain/);
  expect(lines[1]).toContain('cordoned by mia');
  expect(lines[2]).toContain('being drained by mia without a deadline: adam is at its task; eva moves to "big"');
  expect(lines[3]).toMatch(/ drained by mia$/);
});

test('given machines with labels and a capacity, when they are listed, then both are shown', () => {
  const machines = [{ ...machineOf('big', null), labels: ['eu', 'gpu'], capacity: 4 }, machineOf('small', null)];

  const [head, big, small] = renderText(
    listingText(machines, MACHINES, { now: 0, terminal: { colours: false, columns: 200 } as Terminal }),
  ).split('\n');

  expect(head).toMatch(/^NAME +STATE +WORKERS +SEEN +LABELS +NOTES$/);
  expect(big).toMatch(/ 1 of 4 .* eu,gpu$/);
  expect(small).toMatch(/ connected +1 /);
});

test('given a machine that says how it is in hostile words, when it is shown, then its numbers and programs are lines of text', () => {
  const condition = {
    at: 1_000,
    clockOffsetMs: -3_400,
    processors: 8,
    load: 1.25,
    memory: { bytes: 16 * 1024 ** 3, freeBytes: 4 * 1024 ** 3 },
    disk: null,
    programs: [
      { of: 'tool', name: 'git', state: 'present', version: 'git version 2.47' },
      { of: 'profile', name: HOSTILE, state: 'present', version: HOSTILE },
      { of: 'profile', name: 'codex', state: 'missing', version: null },
      { of: 'profile', name: 'gemini', state: 'forbidden', version: null },
    ],
  } as const;
  const machine: MachineView = {
    ...machineOf('big', null),
    condition,
    warnings: ['has a clock that is about 3.4 s behind', HOSTILE],
    facts: { hostname: 'h' },
  };

  const page = renderText(machineText(machine, { now: 6_000, terminal: { colours: false, columns: 200 } as Terminal }));

  expect(page).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(page.split('\n')).toEqual([
    'big: connected, seen 6s ago',
    'it has a clock that is about 3.4 s behind',
    expect.stringMatching(/^it a⟨U\+001B⟩/),
    'workers: 1',
    'labels: none',
    'hostname h',
    '',
    'as reported 5s ago:',
    'load: 1.3 on 8 processor(s)',
    'memory: 4.0 of 16.0 GiB are free',
    'disk: could not be read',
    'clock: about 3.4 s behind',
    '',
    expect.stringMatching(/^git +git version 2\.47$/),
    expect.stringMatching(/^profile a⟨U\+001B⟩.* fake {2}connected/),
    expect.stringMatching(/^profile codex +is missing$/),
    expect.stringMatching(/^profile gemini +is not allowed by its owner$/),
  ]);
  expect(renderText(machineText(machineOf('old', null), { now: 0, terminal: TERMINAL }))).toContain(
    'it has not reported its load yet',
  );
});

function machineOf(name: string, cordon: MachineView['cordon']): MachineView {
  const more = {
    rotateSince: null,
    dialledUrl: null,
    facts: null,
    cordon,
    labels: [],
    capacity: null,
    address: null,
    ssh: null,
    warnings: [],
    condition: null,
  };
  return { name, state: 'connected', workers: 1, lastSeenAt: 0, ...more } as unknown as MachineView;
}

const PLACEHOLDER = 'COORDINATOR_URL';

test.each([
  ['https://drover.example.com', 'https://drover.example.com'],
  ['https://a.example.com:4680,https://b.example.com', 'https://a.example.com:4680,https://b.example.com'],
  [undefined, PLACEHOLDER],
  ['http://127.0.0.1:4680', PLACEHOLDER],
  ['https://a.example.com, http://localhost:4680', PLACEHOLDER],
  ['https://a.example.com/$(id)', PLACEHOLDER],
  ['nonsense', PLACEHOLDER],
])('given a person with the address %s, when they invite a machine, then the line names %s', (url, named) => {
  const environment = { ...readEnvironment(), url };

  expect(addressFor({ environment }, null)).toBe(named);
});

test('given a person on the computer of the coordinator, when they invite a machine, then the line names the configured address', () => {
  const environment = { ...readEnvironment(), url: 'http://127.0.0.1:4680' };

  expect(addressFor({ environment }, 'https://drover.example.com')).toBe('https://drover.example.com');
  expect(addressFor({ environment }, 'http://localhost:4680')).toBe(PLACEHOLDER);
});

type Cordon = MachineView['cordon'];

const DRAIN = { since: 1, deadline: null, doneAt: null, waits: { eva: 'waits for a person' } };

function drainWhere(state: MachineView['state'], drain: NonNullable<Cordon>['drain']): () => unknown {
  return () => drainOf({ name: 'vm', state, cordon: { since: 1, by: 'mia', drain } });
}

test('given a machine that is revoked while it is drained, when a person waits, then they are told, and a drain that goes on or is done is none of it', () => {
  const done = { ...DRAIN, doneAt: 2 };

  expect(drainWhere('revoked', DRAIN)).toThrow(/^vm is revoked.*invite.*remove vm --force/u);
  expect(drainWhere('connected', DRAIN)()).toBe(DRAIN);
  expect(drainWhere('disconnected', DRAIN)()).toBe(DRAIN);
  expect(drainWhere('revoked', done)()).toBe(done);
  expect(drainWhere('connected', null)).toThrow(/Somebody else ended the drain/u);
});
