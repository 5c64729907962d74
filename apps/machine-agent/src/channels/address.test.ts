/** Checks that each start of a program has an address of its own that no other user can read, and which programs have none. */
import { mkdtemp, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import type { AgentProfile } from '../panes/agent-profile.ts';
import { paneProgram } from '../panes/launch.ts';
import { addressFile, offerAddress, readAddress, wayInto, withdrawAddress, type Address } from './address.ts';

const host = createLocalHost({ env: {} });
const SOCKET: Address = { kind: 'socket', path: '/run/c/s', permissions: 'ask' };
const FRESH = { isTrusted: true, permissions: 'ask', former: null } as const;
let secrets = 0;

function newSecret(): string {
  return `0000-secret-${(secrets += 1)}`;
}

async function places(): Promise<Parameters<typeof offerAddress>[2]> {
  const machineDir = await mkdtemp('/tmp/drover-address-');
  return {
    file: addressFile(machineDir, 'worker'),
    runtimeDir: join(machineDir, 'run'),
    newSecret,
    permissions: 'ask',
  };
}

function agentOf(name: 'opencode' | 'codex' | 'claude', more: Partial<AgentProfile> = {}): AgentProfile {
  const profile = BUILT_IN_PROFILES.get(name);
  if (profile === undefined) throw new Error(`There is no profile ${name}`);
  return {
    name,
    profile,
    program: [profile.launch.program, ...profile.launch.args],
    args: [],
    env: {},
    inner: 'subagents',
    channel: true,
    isolation: { kind: 'none', reads: [], writes: [] },
    ...more,
  };
}

function started(
  agent: AgentProfile,
  address: Address | null,
  launch: 'fresh' | 'resume' = 'fresh',
): ReturnType<typeof paneProgram> {
  return paneProgram(agent, {
    settings: { ...WORKER_SETTINGS, profile: agent.name, model: 'some-model', skipPermissions: false },
    launch: { kind: launch, conversation: 'c' },
    programId: null,
    cwd: '/r/.worktrees/w',
    settingsFile: null,
    failuresFile: '/f',
    accessFile: '/a',
    results: '/results',
    searchPath: null,
    cage: [],
    address,
  });
}

test('given OpenCode, when it is started, then port and password are of this start, and no other user can read them', async () => {
  const agent = agentOf('opencode');
  const at = await places();
  const address = await offerAddress(host, agent.profile.launch.channel, at);
  const program = started(agent, address);

  if (address?.kind !== 'port') throw new Error('Expected a port');
  expect(program.argv.join(' ')).toContain(`--port ${address.port}`);
  expect(program.argv.join(' ')).not.toContain(address.password);
  expect(program.env).toMatchObject({ OPENCODE_SERVER_PASSWORD: address.password });
  expect((await stat(at.file)).mode & 0o777).toBe(0o600);
  expect(await readAddress(host, at.file)).toEqual(address);
});

test('given Codex, when it is started again, then its socket lies in another private directory, and that of the former start is gone', async () => {
  const agent = agentOf('codex');
  const at = await places();
  const first = await offerAddress(host, agent.profile.launch.channel, at);
  const second = await offerAddress(host, agent.profile.launch.channel, at);

  if (first?.kind !== 'socket' || second?.kind !== 'socket') throw new Error('Expected sockets');
  expect(first.path).not.toBe(second.path);
  expect((await stat(dirname(second.path))).mode & 0o777).toBe(0o700);
  await expect(stat(dirname(first.path))).rejects.toThrow('ENOENT');
  await withdrawAddress(host, at.file);
  await expect(stat(dirname(second.path))).rejects.toThrow('ENOENT');
});

test('given Codex with a socket, when it is started, then its server has the permissions, its screen has none, and neither refuses the other', () => {
  const { argv } = started(agentOf('codex'), SOCKET, 'resume');

  const count = Number(argv[5]);
  const client = argv.slice(6, 6 + count);
  const server = argv.slice(6 + count);
  expect(client.join(' ')).toBe('codex -c check_for_update_on_startup=false resume --last --remote unix:///run/c/s');
  expect(server.join(' ')).toContain(
    'app-server --listen unix:///run/c/s -c model="some-model" -c approval_policy="on-request"',
  );
  expect(started(agentOf('codex'), null).argv).toContain('--no-daemon');
  // A conversation that begins gets its sandbox from the screen.
  expect(started(agentOf('codex'), SOCKET).argv.join(' ')).toContain('unix:///run/c/s --ask-for-approval on-request');
});

test('given Codex with a socket, when it is started, then its server lets it write its results, for which its screen would not start', () => {
  const { argv } = started(agentOf('codex'), SOCKET);

  const server = argv.slice(6 + Number(argv[5])).join(' ');
  expect(server).toContain('-c sandbox_workspace_write.writable_roots=["/results"]');
  expect(argv).not.toContain('--add-dir');
});

test('given a project that does not trust its folder, when Codex is to be started, then nobody is let in, because only its screen asks', () => {
  const starting = { version: [0, 169, 0], isCaged: false, ...FRESH, isTrusted: false } as const;

  expect(wayInto(agentOf('codex'), starting)).toMatchObject({ kind: 'none', why: expect.stringContaining('trust') });
});

test.each([
  ['Claude Code', agentOf('claude'), [2, 1, 0], false, 'its program lets no second client in'],
  [
    'a switch',
    agentOf('codex', { channel: false }),
    [0, 169, 0],
    false,
    'channel is false in its profile of drover.toml',
  ],
  ['an old Codex', agentOf('codex'), [0, 144, 9], false, 'its program must be 0.145.0 or newer, and is 0.144.9'],
  ['no version', agentOf('codex'), null, false, 'its program must be 0.145.0 or newer, and is of an unknown version'],
  ['a cage', agentOf('codex'), [0, 169, 0], true, 'its socket lies outside of its cage'],
  [
    'own arguments',
    agentOf('codex', { args: ['--search'] }),
    [0, 169, 0],
    false,
    'args of its profile in drover.toml are for one program, and this way needs two',
  ],
] as const)(
  'given %s, when a program is to be started, then nobody is let in, and it is said why',
  (_, agent, version, isCaged, why) => {
    expect(wayInto(agent, { version, isCaged, ...FRESH })).toEqual({ kind: 'none', why });
    expect(wayInto(agentOf('codex'), { version: [0, 145, 0], isCaged: false, ...FRESH }).kind).toBe('open');
    expect(wayInto(agentOf('opencode'), { version: [1, 18, 33], isCaged: true, ...FRESH }).kind).toBe('open');
  },
);

test.each([
  ['with the same permissions', SOCKET, 'ask', 'open'],
  ['with all permissions, which are taken back', { ...SOCKET, permissions: 'skip' }, 'ask', 'none'],
  ['without a channel', 'unknown', 'ask', 'none'],
] as const)(
  'given a conversation of Codex that began %s, when it is taken up, then a channel is there only if it can have no more than it may',
  (_, former, permissions, kind) => {
    const starting = { version: [0, 169, 0], isCaged: false, isTrusted: true, permissions, former } as const;

    expect(wayInto(agentOf('codex'), starting).kind).toBe(kind);
    expect(wayInto(agentOf('opencode'), { ...starting, version: [1, 18, 33] }).kind).toBe('open');
  },
);
