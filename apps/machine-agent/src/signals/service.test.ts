/** Checks that a program's report about its sessions is understood, and only the started program is asked. */
import { once } from 'node:events';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { expect, test } from 'vitest';
import { paneProgram } from '../panes/launch.ts';
import { askService, askSessions, offerService, serviceFile, stateOfSessions } from './service.ts';

const host = createLocalHost({ env: {} });
const MEANINGS = { idle: 'idle', busy: 'busy', retry: 'retrying' } as const;
const MAIN = 'ses_e002817d4ffeKN1bmv1qn85Vyb';
const OTHER = 'ses_e002817d4ffeKN1bmv1qn85Vyc';
const MESSAGE = "This request would exceed your account's rate limit. Please try again later.";
/** Status as OpenCode 1.18.33 reports it. */
const RETRY = { type: 'retry', attempt: 1, message: MESSAGE, next: 1_795_293_786_305 };

test.each([
  ['nothing at work', {}, { status: 'idle', waitingFor: null }],
  ['an idle session', { [MAIN]: { type: 'idle' } }, { status: 'idle', waitingFor: null }],
  ['a busy one', { [MAIN]: { type: 'busy' } }, { status: 'busy', waitingFor: null }],
  ['a retry', { [MAIN]: RETRY }, { status: 'retrying', waitingFor: MESSAGE }],
  [
    'a retry beside a sub-agent',
    { [OTHER]: { type: 'busy' }, [MAIN]: RETRY },
    { status: 'retrying', waitingFor: MESSAGE },
  ],
  ['a word that the profile does not know', { [MAIN]: { type: 'sleeping' } }, null],
  ['no object', [], null],
  ['no JSON', undefined, null],
])('given %s, when the answer is read, then its meaning is the one of the profile', (_, body, meaning) => {
  expect(stateOfSessions(body, MEANINGS)).toEqual(meaning);
});

const FREE = { kind: 'none', reads: [], writes: [] } as const;

test('given a program that serves its state, when it is started and asked, then port and password are its own and no other user can read them', async () => {
  const path = serviceFile(await mkdtemp(join(tmpdir(), 'drover-service-')), 'worker');
  const service = await offerService(host, path, { profile: openCode(), newSecret: () => 'secret' });
  const program = paneProgram(
    {
      name: 'opencode',
      profile: openCode(),
      program: ['opencode'],
      args: [],
      env: {},
      inner: 'subagents',
      isolation: FREE,
    },
    {
      settings: { ...WORKER_SETTINGS, profile: 'opencode' },
      launch: { kind: 'fresh', conversation: 'c' },
      cwd: '/r/.worktrees/w',
      settingsFile: null,
      failuresFile: '/f',
      accessFile: '/a',
      results: '/results',
      searchPath: null,
      cage: [],
      service,
    },
  );
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.end(JSON.stringify({ [MAIN]: { type: 'busy' } }));
  }).listen(service?.port, '127.0.0.1');
  await once(server, 'listening');

  const state = await askService(host, path, openCode());
  server.close();
  server.closeAllConnections();
  const afterwards = await askService(host, path, openCode());

  expect(state).toEqual({ status: 'busy', waitingFor: null });
  expect(afterwards).toBeNull();
  expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/session/status', `Basic ${Buffer.from('opencode:secret').toString('base64')}`],
  ]);
  expect(program.argv.join(' ')).toContain(`--port ${service?.port}`);
  expect(program.env).toMatchObject({ GIT_CEILING_DIRECTORIES: '/r/.worktrees' });
  expect(program.argv.join(' ')).not.toContain('secret');
  expect(program.env).toMatchObject({ OPENCODE_SERVER_PASSWORD: 'secret' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(service);
});

test('given a document that would have another host asked, when the program is asked, then no host is asked', async () => {
  const server = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = serviceFile(await mkdtemp(join(tmpdir(), 'drover-service-')), 'worker');
  await offerService(host, path, { profile: openCode(), newSecret: () => 'secret' });

  const states = await Promise.all(
    [`@127.0.0.1:${port}/`, `//127.0.0.1:${port}/`].map((where) => askService(host, path, openCode(where))),
  );
  server.close();

  expect(states).toEqual([null, null]);
});

/** A conversation as OpenCode lists it. */
function session(id: string, updated: number, more: object = {}): object {
  return { id, directory: '/w', time: { updated }, ...more };
}

test('given conversations of other directories and of sub-agents, when its messages are asked for, then those of the newest own one come', async () => {
  const machineDir = await mkdtemp(join(tmpdir(), 'drover-service-'));
  const path = serviceFile(machineDir, 'worker');
  const service = await offerService(host, path, { profile: openCode(), newSecret: () => 'secret' });
  const listed = [
    session('ses_1', 1),
    session(MAIN, 2),
    session(OTHER, 3, { parentID: MAIN }),
    session('ses_2', 4, { directory: '/w/other' }),
    session('../../x', 5),
  ];
  const server = createServer(({ url }, response) => {
    if (url === '/session?directory=%2Fw') response.end(JSON.stringify(listed));
    else response.end(JSON.stringify([{ info: { id: url }, parts: [] }]));
  }).listen(service?.port, '127.0.0.1');
  await once(server, 'listening');

  const asked = { machineDir, workerId: 'worker', profile: openCode() };
  const messages = await askSessions(host, { ...asked, cwd: '/w' });
  const none = await askSessions(host, { ...asked, cwd: '/elsewhere' });
  server.close();

  expect(messages).toEqual([{ info: { id: `/session/${MAIN}/message` }, parts: [] }]);
  expect(none).toBeNull();
});

function openCode(where = '/session/status'): Profile {
  const profile = BUILT_IN_PROFILES.get('opencode');
  const structured = profile?.signals.structured;
  if (profile === undefined || structured === null || structured === undefined) throw new Error('no such profile');
  return { ...profile, signals: { ...profile.signals, structured: { ...structured, where } } };
}
