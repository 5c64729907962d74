// oxlint-disable no-control-regex -- controls are what must not be there
import { expect, test } from 'vitest';
import type { MachineView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderText } from '../../terminal/style.ts';
import { machinesText } from './text.ts';

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
    dialledUrl: HOSTILE,
    facts: { hostname: HOSTILE },
  };

  const when = renderText(machinesText([machine as unknown as MachineView], { now: 0, terminal: TERMINAL }));

  expect(when.split('\n')).toHaveLength(1);
  expect(when.replaceAll(/\u001b\[(?:32|39)m/g, '')).toMatch(
    /^a⟨U\+001B⟩\]52;c;eA==⟨U\+0007⟩⟨U\+202E⟩ fake {2}connected/,
  );
  expect(when.match(/\u001b/g)).toHaveLength(2);
});

test('given machines that get no new work, when they are listed, then it is said by whom, and what those that leave wait for', () => {
  const drain = { since: 1, deadline: null, doneAt: null, waits: { adam: 'is at its task', eva: 'moves to "big"' } };
  const machines = [
    machineOf('free', null),
    machineOf('closed', { since: 1, by: 'mia', drain: null }),
    machineOf('leaving', { since: 1, by: 'mia', drain }),
    machineOf('left', { since: 1, by: 'mia', drain: { ...drain, doneAt: 2, waits: {} } }),
  ];

  const lines = renderText(
    machinesText(machines, { now: 0, terminal: { colours: false, columns: 200 } as Terminal }),
  ).split('\n');

  expect(lines[0]).not.toMatch(/cordoned|drain/);
  expect(lines[1]).toContain('cordoned by mia');
  expect(lines[2]).toContain('drains: adam is at its task; eva moves to "big"');
  expect(lines[3]).toMatch(/drained {2}/);
});

test('given machines with labels and a capacity, when they are listed, then both are shown', () => {
  const machines = [{ ...machineOf('big', null), labels: ['eu', 'gpu'], capacity: 4 }, machineOf('small', null)];

  const [big, small] = renderText(
    machinesText(machines, { now: 0, terminal: { colours: false, columns: 200 } as Terminal }),
  ).split('\n');

  expect(big).toMatch(/eu,gpu {2}1 of 4 worker\(s\)/);
  expect(small).toMatch(/ 1 worker\(s\)/);
});

function machineOf(name: string, cordon: MachineView['cordon']): MachineView {
  const more = { rotateSince: null, dialledUrl: null, facts: null, cordon, labels: [], capacity: null };
  return { name, state: 'connected', workers: 1, lastSeenAt: 0, ...more } as unknown as MachineView;
}
