// oxlint-disable no-control-regex -- controls are what must not be there
import { expect, test } from 'vitest';
import type { EventView, MachineView } from '@drover/api';
import type { Terminal } from '../terminal.ts';
import { rendered } from './style.ts';
import { eventText, machinesText } from './workers.ts';

const TERMINAL = { colours: true, columns: 200 } as Terminal;
const HOSTILE = 'a\u001b[31m\u001b]52;c;eA==\u0007\u202e\nfake  connected';

test('given a machine that joined long ago with a hostile name and facts, when it is listed, then it is one line of text', () => {
  const machine = {
    name: HOSTILE,
    state: 'connected',
    workers: 1,
    lastSeenAt: 0,
    rotateSince: null,
    dialledUrl: HOSTILE,
    facts: { hostname: HOSTILE },
  };

  const when = rendered(machinesText([machine as unknown as MachineView], { now: 0, terminal: TERMINAL }));

  expect(when.split('\n')).toHaveLength(1);
  expect(when.replaceAll(/\u001b\[(?:32|39)m/g, '')).toMatch(
    /^a⟨U\+001B⟩\]52;c;eA==⟨U\+0007⟩⟨U\+202E⟩ fake {2}connected/,
  );
  expect(when.match(/\u001b/g)).toHaveLength(2);
});

test('given an event whose words are hostile, when it is told, then each stays on its line', () => {
  const event = { at: 0, worker: 'adam', said: [HOSTILE, HOSTILE], by: HOSTILE };

  const when = rendered(
    eventText(event as unknown as EventView, { terminal: { ...TERMINAL, colours: false }, named: true }),
  );

  expect(when.split('\n')).toHaveLength(2);
  expect(when).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});
