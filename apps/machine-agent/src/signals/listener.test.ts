/** Is what a program says judged by the clock of its machine, and kept while that machine is out of reach? On a real disk. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost, type Host, HostError } from '@drover/host';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { expect, onTestFinished, test } from 'vitest';
import type { Profiles } from '../panes/agent-profile.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import { hookFiles } from './hooks.ts';
import { Listener } from './listener.ts';
import type { ToolFailures } from './tool-failures.ts';

const INCARNATION = 'an incarnation';
const HOUR_MS = 3_600_000;
/** The clock of this process; the program of the life was started a minute before. */
const NOW = 1_900_000_000_000;

/** A listener to one worker, whose hook wrote that a turn began. @param hookAt The time of that file. */
function listening(machine: Partial<Host>, hookAt: number): { listener: Listener; told: () => number } {
  const machineDir = mkdtempSync(join(tmpdir(), 'drover-listener-'));
  onTestFinished(() => rmSync(machineDir, { recursive: true }));
  const { news, payloads } = hookFiles(machineDir, 'w', claude());
  mkdirSync(payloads, { recursive: true });
  writeFileSync(join(payloads, 'payload000'), JSON.stringify({ hook_event_name: 'UserPromptSubmit' }));
  utimesSync(join(payloads, 'payload000'), hookAt / 1_000, hookAt / 1_000);
  mkdirSync(dirname(news), { recursive: true });
  writeFileSync(news, 'payload000\n');
  const knownWorkers: Partial<KnownWorkers> = {
    incarnationOf: () => ({ workerId: 'w', conversation: 'c', openedAt: NOW - 60_000 }),
    settingsOf: () => WORKER_SETTINGS,
  };
  const profiles: Partial<Profiles> = {
    find: () => ({
      name: 'claude',
      profile: claude(),
      program: ['claude'],
      args: [],
      env: {},
      isolation: { kind: 'none', reads: [], writes: [] },
    }),
  };
  const toolFailures: Partial<ToolFailures> = { tell: () => Promise.resolve() };
  const listener = new Listener({
    host: { ...createLocalHost({ env: {} }), ...machine },
    knownWorkers: knownWorkers as KnownWorkers,
    profiles: profiles as Profiles,
    toolFailures: toolFailures as ToolFailures,
    cages: { holds: () => false, homeOf: () => machineDir },
    machineDir,
    clock: { now: () => NOW, elapsed: () => NOW, setTimer: () => () => {} },
    log: () => {},
  });
  onTestFinished(() => listener[Symbol.asyncDispose]());
  let count = 0;
  listener.start(() => (count += 1));
  listener.attend(INCARNATION, { workerId: 'w', panePid: 1 });
  return { listener, told: () => count };
}

test.each([
  ['right', 0],
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])('given a machine whose clock is %s, when a hook spoke a second ago, then it is heard', async (_, offsetMs) => {
  const { listener } = listening({ clockOffsetMs: () => offsetMs }, NOW + offsetMs - 1_000);

  await listener.read(INCARNATION);

  expect(listener.audible(INCARNATION, null).hook).toMatchObject({ name: 'UserPromptSubmit' });
});

test.each([
  ['a minute ago', 60_000, 0],
  ['a minute ago by a clock that is an hour ahead', 60_000 - HOUR_MS, HOUR_MS],
])('given a hook that spoke %s, when it is asked for, then it counts no more', async (_, agoMs, offsetMs) => {
  const { listener } = listening({ clockOffsetMs: () => offsetMs }, NOW - agoMs);

  await listener.read(INCARNATION);

  expect(listener.audible(INCARNATION, null).hook).toBeUndefined();
});

test('given a machine that is out of reach, when it is read, then what it said last is kept, and nothing is told', async () => {
  let isCut = false;
  const local = createLocalHost({ env: {} });
  const tailLines: Host['tailLines'] = async (path, options) => {
    if (isCut) throw new HostError('unreachable', 'The link is cut', { program: 'tail' });
    return local.tailLines(path, options);
  };
  const { listener, told } = listening({ tailLines }, NOW - 1_000);
  await listener.read(INCARNATION);
  expect(told()).toBe(1);

  isCut = true;
  await listener.read(INCARNATION);

  expect(listener.audible(INCARNATION, null).hook).toMatchObject({ name: 'UserPromptSubmit' });
  expect(told()).toBe(1);
});

function claude(): Profile {
  const profile = BUILT_IN_PROFILES.get('claude');
  if (profile === undefined) throw new Error('Claude Code has no profile');
  return profile;
}
