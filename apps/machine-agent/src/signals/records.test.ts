import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastEntry, latestHook, statusOf } from './records.ts';

const host = createLocalHost({ env: {} });
let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'drover-records-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** File whose lines were written at second 50 of the epoch. */
function file(name: string, ...lines: readonly unknown[]): string {
  const path = join(directory, name);
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
  utimesSync(path, 50, 50);
  return path;
}

/** News of a worker whose hooks wrote these payloads. */
function news(name: string, ...payloads: readonly unknown[]): string {
  mkdirSync(join(directory, `${name}.payloads`));
  const names = payloads.map((payload, at) => {
    const own = `payload${String(at).padStart(3, '0')}`;
    file(join(`${name}.payloads`, own), payload);
    return `${own}\n`;
  });
  return file(`${name}.news`, ...names);
}

function claude(): Profile {
  const profile = BUILT_IN_PROFILES.get('claude');
  if (profile === undefined) throw new Error('Claude Code has no profile');
  return profile;
}

test('given hooks of a worker, when the latest is read, then its tool, its command and its time are known', async () => {
  const tool_input = { command: 'rm -rf build' };
  const latest = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input };
  const path = news('hooks', { hook_event_name: 'UserPromptSubmit', prompt: 'go' }, latest);

  const when = await latestHook(host, path, claude());

  const fact = { name: 'PermissionRequest', tool: 'Bash', command: 'rm -rf build', error: null };
  expect(when).toEqual({ fact, at: 50_000 });
});

test('given a hook that is cut off, means nothing, or has no payload, when it is read, then nothing is known', async () => {
  const began = { hook_event_name: 'UserPromptSubmit' };
  const outside = file('payload000', began);

  expect(await latestHook(host, news('cut', began, '{"hook_event'), claude())).toBeNull();
  expect(await latestHook(host, news('other', began, { hook_event_name: 'Whatever' }), claude())).toBeNull();
  expect(await latestHook(host, file('lost.news', 'payload000\n'), claude())).toBeNull();
  expect(await latestHook(host, file('climbing.news', '../payload000\n'), claude())).toBeNull();
  expect(await latestHook(host, file('absolute.news', `${outside}\n`), claude())).toBeNull();
  expect(await latestHook(host, join(directory, 'none.news'), claude())).toBeNull();
});

test('given the status of a process, when it is read, then it is the one that the profile says', async () => {
  file('7.json', { status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: 5, updatedAt: 6 });
  file('8.json', { status: 'dreaming', statusUpdatedAt: 5 });

  expect(await statusOf(host, { directory, pid: 7 }, { waiting: 'waiting' })).toEqual({
    fact: { status: 'waiting', waitingFor: 'permission prompt' },
    at: 5,
  });
  expect(await statusOf(host, { directory, pid: 8 }, { waiting: 'waiting' })).toBeNull();
  expect(await statusOf(host, { directory, pid: 9 }, { waiting: 'waiting' })).toBeNull();
});

test('given a transcript, when its last entry is read, then notes of the program and sub-agents are passed over', async () => {
  const error = { type: 'assistant', message: { content: [{ type: 'text', text: 'API Error: 529' }] } };
  const path = file(
    'transcript',
    'a line that began before what is read\n',
    { type: 'user', message: { content: 'go' } },
    { ...error, isApiErrorMessage: true },
    { type: 'assistant', isSidechain: true, message: { content: 'all is well' } },
    { type: 'last-prompt', lastPrompt: 'go' },
  );

  expect(await lastEntry(host, path)).toEqual({
    fact: { role: 'assistant', text: 'API Error: 529', apiError: true },
    at: 50_000,
  });
});

test('given pipes and links in place of what a program writes, when they are read, then no reader waits and nothing is followed', async () => {
  const [pipe, link] = [join(directory, '2.json'), join(directory, '3.json')];
  execFileSync('mkfifo', [pipe]);
  const real = file('real.json', { status: 'busy', statusUpdatedAt: 1, type: 'user', message: { content: 'x' } });
  symlinkSync(real, link);

  const statuses = await Promise.all([
    statusOf(host, { directory, pid: 2 }, { busy: 'busy' }),
    statusOf(host, { directory, pid: 3 }, { busy: 'busy' }),
  ]);
  const entries = await Promise.all([lastEntry(host, pipe), lastEntry(host, link), latestHook(host, pipe, claude())]);

  expect(statuses).toEqual([null, null]);
  expect(entries).toEqual([null, null, null]);
  expect(await lastEntry(host, real)).not.toBeNull();
});

const SHELL = { id: 'b', type: 'shell', status: 'running', description: 'Sleep', command: 'sleep 20' };

test.each([
  ['a shell', [SHELL], [], { what: 'background shell', isScheduled: false }],
  ['two tasks', [SHELL, { ...SHELL, type: 'subagent' }], [], { what: '2 background tasks', isScheduled: false }],
  ['a wake-up', [], [{ id: 'c' }], { what: 'scheduled wake-up', isScheduled: true }],
  ['a shell and a wake-up', [SHELL], [{ id: 'c' }], { what: 'background shell', isScheduled: true }],
  ['nothing', [], [], undefined],
])('given a turn that ends beside %s, when its hook is read, then that is known', async (_, tasks, crons, runsOn) => {
  const stop = { hook_event_name: 'Stop', background_tasks: tasks, session_crons: crons };

  expect((await latestHook(host, news('stop', stop), claude()))?.fact.runsOn).toEqual(runsOn);
});
