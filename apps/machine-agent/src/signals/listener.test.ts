/** Checks that a program's own words are judged by the clock of its machine, and kept while that machine is unreachable. On a real disk. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost, type Host, HostError } from '@drover/host';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES, type Profile, type StructuredState } from '@drover/screen';
import { expect, onTestFinished, test } from 'vitest';
import type { Profiles } from '../panes/agent-profile.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import { hookFiles } from './hooks.ts';
import { Listener } from './listener.ts';
import type { ToolFailures } from './tool-failures.ts';

const INCARNATION = 'an incarnation';
const HOUR_MS = 3_600_000;
/** LocalClock of this process; the program of the life was started a minute before. */
const NOW = 1_900_000_000_000;

interface Listening {
  readonly listener: Listener;
  readonly machineDir: string;
  readonly told: () => number;
  /** Lets another hook speak. */
  readonly speak: (at: number) => void;
}

/** Listener to one worker, whose hook wrote that a turn began. @param hookAt The time of that file. */
function listening(
  machine: Partial<Host>,
  hookAt: number,
  { id = 'claude', now = (): number => NOW, state = null as StructuredState | null } = {},
): Listening {
  const profile = profileOf(id);
  const machineDir = mkdtempSync(join(tmpdir(), 'drover-listener-'));
  onTestFinished(() => rmSync(machineDir, { recursive: true }));
  const { news, payloads } = hookFiles(machineDir, 'w', profile);
  mkdirSync(payloads, { recursive: true });
  mkdirSync(dirname(news), { recursive: true });
  let hooks = 0;
  const speak = (at: number): void => {
    const name = `payload00${(hooks += 1)}`;
    writeFileSync(join(payloads, name), JSON.stringify({ hook_event_name: 'UserPromptSubmit' }));
    utimesSync(join(payloads, name), at / 1_000, at / 1_000);
    appendFileSync(news, `${name}\n`);
  };
  speak(hookAt);
  const knownWorkers: Partial<KnownWorkers> = {
    incarnationOf: () => ({ workerId: 'w', conversation: 'c', openedAt: NOW - 60_000 }),
    settingsOf: () => WORKER_SETTINGS,
  };
  const profiles: Partial<Profiles> = {
    find: () => ({
      name: id,
      profile,
      program: [id],
      args: [],
      env: {},
      inner: 'subagents' as const,
      channel: true,
      isolation: { kind: 'none', reads: [], writes: [] },
    }),
  };
  const toolFailures: Partial<ToolFailures> = { tell: () => Promise.resolve() };
  const listener = new Listener({
    host: { ...createLocalHost({ env: {} }), ...machine },
    knownWorkers: knownWorkers as KnownWorkers,
    profiles: profiles as Profiles,
    toolFailures: toolFailures as ToolFailures,
    channels: { stateOf: () => Promise.resolve(state), forget: () => {}, start: () => {} },
    cages: { holds: () => false, homeOf: () => machineDir },
    machineDir,
    clock: { now, elapsed: now, after: () => () => {} },
    log: () => {},
  });
  onTestFinished(() => listener[Symbol.asyncDispose]());
  let count = 0;
  listener.start();
  listener.attend(INCARNATION, { workerId: 'w', panePid: 1, onNews: () => (count += 1) });
  return { listener, machineDir, told: () => count, speak };
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

test.each([HOUR_MS, -HOUR_MS])(
  'given a clock that is set by %d ms, when that is noticed, then what spoke before counts no more, and the next hook is heard',
  async (jumpMs) => {
    let offsetMs = 0;
    const { listener, speak } = listening({ clockOffsetMs: () => offsetMs }, NOW - 1_000);
    await listener.read(INCARNATION);
    expect(listener.audible(INCARNATION, null).hook).toBeDefined();

    offsetMs = jumpMs;
    expect(listener.audible(INCARNATION, null).hook).toBeUndefined();

    speak(NOW + jumpMs - 1_000);
    await listener.read(INCARNATION);
    expect(listener.audible(INCARNATION, null).hook).toMatchObject({ name: 'UserPromptSubmit' });
  },
);

test('given a program that tells its state by a channel, when the clock of its machine is set, then what it said here goes on to count', async () => {
  let [offsetMs, now] = [0, NOW];
  const machine = { clockOffsetMs: () => offsetMs };
  const state = { status: 'busy', waitingFor: null } as const;
  const { listener } = listening(machine, NOW - 1_000, { id: 'opencode', now: () => now, state });
  await listener.read(INCARNATION);
  now += 2_000;
  expect(listener.audible(INCARNATION, NOW).structured).toMatchObject({ status: 'busy' });

  for (offsetMs of [HOUR_MS, -HOUR_MS])
    expect(listener.audible(INCARNATION, NOW).structured).toMatchObject({ status: 'busy' });
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

function profileOf(id: string): Profile {
  const profile = BUILT_IN_PROFILES.get(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  return profile;
}
