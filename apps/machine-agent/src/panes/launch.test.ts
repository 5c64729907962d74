/** The environment that the program of a worker's pane gets. */
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { paneProgram } from './launch.ts';

const FACTS = {
  settings: WORKER_SETTINGS,
  launch: { kind: 'fresh', conversation: 'c' },
  programId: null,
  cwd: '/w',
  settingsFile: null,
  failuresFile: '/f',
  accessFile: '/a',
  results: '/results',
  searchPath: null,
  cage: [],
  address: null,
} as const;

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
    { ...FACTS, settings: { ...WORKER_SETTINGS, ...more } },
  );

  expect(program.env?.['DROVER_TOOL_POLICY']).toBe(found);
  expect(program.env?.['DROVER_TOOL_FAILURES']).toBe('/f');
});

test('given a program with a sandbox of its own, when it is started, then it may write where its results lie', () => {
  const profile = BUILT_IN_PROFILES.get('codex');
  if (profile === undefined) throw new Error('Expected a built-in profile "codex"');
  const isolation = { kind: 'none', reads: [], writes: [] } as const;
  const agent = {
    name: 'codex',
    profile,
    inner: 'all',
    program: ['codex'],
    args: [],
    env: {},
    channel: true,
    isolation,
  } as const;

  const { argv, env } = paneProgram(agent, { ...FACTS, searchPath: '/bin/of/drover:/usr/bin' });

  expect(argv.join(' ')).toContain('--add-dir /results');
  expect(env).toMatchObject({ DROVER_RESULT: '/results', PATH: '/bin/of/drover:/usr/bin' });
});

test('given Qwen Code, which refuses the ids of Drover, when it is started and started again, then it names its conversation, takes up its latest, and finds its hooks', () => {
  const profile = BUILT_IN_PROFILES.get('qwen');
  if (profile === undefined) throw new Error('Expected a built-in profile "qwen"');
  const agent = { name: 'qwen', profile, inner: 'all', program: ['qwen'], args: [], env: {}, channel: true } as const;
  const programOf = (kind: 'fresh' | 'resume'): ReturnType<typeof paneProgram> =>
    paneProgram(
      { ...agent, isolation: { kind: 'none', reads: [], writes: [] } },
      { ...FACTS, launch: { kind, conversation: '01a22818-79bc-77c5-9176-9bbb0c74abfc' }, settingsFile: '/s' },
    );

  expect(programOf('fresh').argv).not.toContain('--session-id');
  expect(programOf('resume').argv).toContain('--continue');
  expect(programOf('fresh').env).toMatchObject({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: '/s' });
});

test.each([
  ['codex', 'fresh', 'thread-1', []],
  ['codex', 'resume', 'thread-1', ['resume', 'thread-1']],
  ['codex', 'resume', null, ['resume', '--last']],
  ['opencode', 'resume', 'ses_1', ['--session', 'ses_1']],
  ['opencode', 'resume', null, ['--continue']],
  ['qwen', 'resume', '7200c5ab', ['--resume', '7200c5ab']],
  ['gemini', 'fresh', null, ['--session-id', 'c']],
  ['gemini', 'resume', null, ['--resume', 'c']],
] as const)(
  'given %s, when its start is %s and its own id is %s, then the words for the conversation are %j',
  (name, kind, programId, words) => {
    const profile = BUILT_IN_PROFILES.get(name);
    if (profile === undefined) throw new Error(`Expected a built-in profile "${name}"`);
    const isolation = { kind: 'none', reads: [], writes: [] } as const;
    const agent = {
      name,
      profile,
      inner: 'all',
      program: [name],
      args: [],
      env: {},
      channel: true,
      isolation,
    } as const;

    const { argv } = paneProgram(agent, { ...FACTS, launch: { kind, conversation: 'c' }, programId });

    expect(argv.slice(1, 3).filter((word) => words.length > 0 || word.startsWith('resume'))).toEqual(words);
  },
);
