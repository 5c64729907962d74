/** Checks that coding agents are told from other programs by their command lines. */
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { Profiles } from '../agent-profile.ts';
import { agentPrograms } from './agent-programs.ts';

const OWN = { program: ['node', '/opt/my agent/cli.js'], args: [], env: {} };
const isAgent = agentPrograms(
  new Profiles({ sim: OWN, claude: { program: ['/home/me/bin/claude'], args: [], env: {} } }, BUILT_IN_PROFILES).all(),
);

test.each([
  [['claude', '--resume', 'x'], true],
  [['/usr/local/bin/claude'], true],
  [['node', '--no-warnings', '/usr/bin/codex', 'exec'], true],
  [['/usr/bin/env', 'node', '/usr/bin/gemini'], true],
  [['node', '/opt/my agent/cli.js'], true],
  [['node', '/srv/shop/cli.js'], false],
  [['node', 'server.js', 'claude'], false],
  [['-bash'], false],
  [['bash', '-i'], false],
  [['vim', 'claude'], false],
  [['less', '/tmp/codex'], false],
  [['/opt/claude/bin/rg', 'x'], false],
  [['node'], false],
  [[], false],
])('given the command line %j, when it is judged, then that it is an agent is %s', (words, expected) => {
  expect(isAgent(words)).toBe(expected);
});
