/** The environment that the program of a worker's pane gets. */
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { paneProgram } from './launch.ts';

test.each([
  ['rules for failed tools', { toolPolicy: '{"network":{}}' }, '{"network":{}}'],
  ['none', {}, undefined],
])('given settings with %s, when the agent is started, then its hook finds them', (_what, more, found) => {
  const profile = BUILT_IN_PROFILES.get('sim');
  if (profile === undefined) throw new Error('Expected a built-in profile "sim"');

  const program = paneProgram(
    {
      name: 'sim',
      profile,
      inner: 'all',
      program: ['sim'],
      args: [],
      env: {},
      channel: true,
      isolation: { kind: 'none', reads: [], writes: [] },
    },
    {
      settings: { ...WORKER_SETTINGS, ...more },
      launch: { kind: 'fresh', conversation: 'c' },
      cwd: '/r/.worktrees/w',
      settingsFile: null,
      failuresFile: '/f',
      accessFile: '/a',
      cage: [],
      address: null,
    },
  );

  expect(program.env?.['DROVER_TOOL_POLICY']).toBe(found);
  expect(program.env?.['DROVER_TOOL_FAILURES']).toBe('/f');
});
