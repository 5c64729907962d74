/** Finds the machine that has the repository. */
import type { Machine, MachinePlaces } from '@drover/store';
import { expect, test } from 'vitest';
import { isElsewhere } from './home.ts';

const AT_HOME: MachinePlaces = { workspace: '/w', roots: { p: '/srv/p' } };
const ELSEWHERE: MachinePlaces = { workspace: '/w', roots: {} };

test.each([
  ['a root of the project', 'two', AT_HOME, null, '/s', false],
  ['no root of it', 'two', ELSEWHERE, null, '/s', true],
  ['the name of the home', 'two', ELSEWHERE, 'two', '/s', false],
  ['a root, and another home is named', 'two', AT_HOME, 'one', '/s', true],
  ['no hello yet', 'two', null, 'one', '/s', false],
  ['a source with an address', 'two', ELSEWHERE, null, 'git@example.com:p.git', false],
  ['a source with a scheme', 'two', ELSEWHERE, null, 'https://example.com/p', false],
] as const)(
  'given a machine with %s, when it gets the project, then it knows where main is',
  (_, name, places, home, source, elsewhere) => {
    const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '', home };
    const project = {
      id: 'p',
      name: 'p',
      source,
      root: null,
      defaultBranch: 'main',
      config,
      mergeWorkerId: null,
      trust: {},
    };

    expect(isElsewhere(project, { name, places } as Machine)).toBe(elsewhere);
  },
);
