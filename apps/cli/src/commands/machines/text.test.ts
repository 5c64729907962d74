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
