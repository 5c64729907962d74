/** Checks the programs that a machine reports, on files made for the test; nothing is started. */
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { condition, PROGRAMS_TOLD_MAX } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { Profiles } from '../panes/agent-profile.ts';
import type { VersionAnswer } from '../host/version-line.ts';
import { Programs } from './programs.ts';

/** Two directories of programs, and all versions that were asked for. */
async function place(stack: AsyncDisposableStack) {
  const root = await mkdtemp(join(tmpdir(), 'drover-programs-'));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const [near, far] = [join(root, 'near'), join(root, 'far')];
  await mkdir(near);
  await mkdir(far);
  const asked: string[] = [];
  let answer: VersionAnswer = { kind: 'told', line: '1.0.0' };
  const ports = {
    host: createLocalHost({ env: { PATH: `${near}:${far}` } }),
    profiles: () => new Profiles({}, BUILT_IN_PROFILES).all(),
    allowed: null,
    keysOf: () => undefined,
    compared: () => ({ turns: 3, disagreements: 1 }),
    versionOf: (program: string, args: readonly string[]) => {
      asked.push([program, ...args].join(' '));
      return Promise.resolve(answer);
    },
  };
  return {
    far,
    asked,
    ports,
    answer: (next: VersionAnswer) => (answer = next),
    update: (line: string) => (answer = { kind: 'told', line }),
    add: (directory: string, name: string, mode = 0o755) => writeFile(join(directory, name), '#!/bin/sh\n', { mode }),
    near,
  };
}

function named(told: readonly { readonly name: string }[], name: string): unknown {
  return told.find((one) => one.name === name);
}

test('given programs on the path, one that may not be started and none, when they are read, then each is told, and no version before it is asked for', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.far, 'claude');
  await given.add(given.near, 'codex', 0o644);
  await mkdir(join(given.near, 'gemini'));
  const programs = new Programs(given.ports);

  const first = await programs.read(false);
  const second = await programs.read(true);

  expect(named(first, 'claude')).toEqual({ of: 'profile', name: 'claude', state: 'present', version: null });
  expect(named(second, 'claude')).toEqual({
    of: 'profile',
    name: 'claude',
    state: 'present',
    version: '1.0.0',
    hears: 'its screen alone: its program lets no second client in',
    untried: { version: '1.0.0', turns: 3, disagreements: 1 },
  });
  expect(['codex', 'gemini', 'git', 'opencode'].map((name) => named(second, name))).toMatchObject(
    ['codex', 'gemini', 'git', 'opencode'].map((name) => ({ name, state: 'missing', version: null })),
  );
  expect(named(second, 'generic')).toBeUndefined();
  expect(given.asked).toEqual(['claude --version']);
});

test('given a program that is updated, when it is read again, then it is asked once for each file', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.far, 'claude');
  const programs = new Programs(given.ports);

  await programs.read(true);
  await programs.read(true);
  given.update('2.0.0');
  await utimes(join(given.far, 'claude'), 5, 5);
  const updated = await programs.read(true);
  await chmod(join(given.far, 'claude'), 0o600);
  const gone = await programs.read(true);

  expect(given.asked).toHaveLength(2);
  expect(named(updated, 'claude')).toMatchObject({ version: '2.0.0' });
  expect(named(gone, 'claude')).toMatchObject({ state: 'missing' });
});

/** Readings, of 40 one after another, at which a program that answers so is started. */
async function readings(
  { ports, asked, add, far, answer }: Awaited<ReturnType<typeof place>>,
  kind: 'failed' | 'silent',
): Promise<readonly number[]> {
  await add(far, 'claude');
  answer({ kind });
  const programs = new Programs(ports);
  const tries: number[] = [];
  for (let reading = 1; reading <= 40; reading += 1) {
    const before = asked.length;
    await programs.read(true);
    if (asked.length > before) tries.push(reading);
  }
  return tries;
}

test.each([
  ['does not tell its version in time', 'silent', [1, 3, 14]],
  ['ends without telling its version', 'failed', [1]],
] as const)(
  'given a program that %s, when it is read for ever, then it is started no more than a few times (%s: %j)',
  async (_what, kind, tries) => {
    await using stack = new AsyncDisposableStack();
    const given = await place(stack);

    expect(await readings(given, kind)).toEqual(tries);
  },
);

test('given a program that did not tell its version in time, when it does later, or another file takes its place, then it is told', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.far, 'claude');
  const programs = new Programs(given.ports);

  given.answer({ kind: 'silent' });
  const silent = await programs.read(true);
  given.update('1.0.0');
  const paused = await programs.read(true);
  const told = await programs.read(true);
  given.answer({ kind: 'failed' });
  await utimes(join(given.far, 'claude'), 5, 5);
  const failed = await programs.read(true);
  given.update('2.0.0');
  await utimes(join(given.far, 'claude'), 6, 6);
  const replaced = await programs.read(true);

  const versions = [silent, paused, told, failed, replaced].map((one) => named(one, 'claude'));
  expect(versions).toMatchObject([null, null, '1.0.0', null, '2.0.0'].map((version) => ({ version })));
});

test('given an owner who allows some profiles, when programs are read, then the others are forbidden and never started', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.near, 'claude');
  await given.add(given.near, 'codex');

  const told = await new Programs({ ...given.ports, allowed: ['codex'] }).read(true);

  expect(named(told, 'claude')).toMatchObject({ state: 'forbidden', version: null });
  expect(named(told, 'codex')).toMatchObject({ state: 'present' });
  expect(given.asked).toEqual(['codex --no-daemon -c check_for_update_on_startup=false --version']);
});

test('given more profiles than may be told, with long versions, when they are read, then the protocol takes what is said', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  const [one] = given.ports.profiles();
  if (one === undefined) throw new Error('no profile');
  await given.add(given.near, 'tool');
  given.update('v'.repeat(1_000));
  const many = Array.from({ length: 500 }, (_, index) => ({ ...one, name: `p${index}`, program: ['tool'] }));

  const programs = await new Programs({ ...given.ports, profiles: () => many }).read(true);

  const said = { sentAt: 1, programs, processors: 1, load: 0, memory: { bytes: 1, freeBytes: 1 }, disk: null };
  expect(programs).toHaveLength(PROGRAMS_TOLD_MAX);
  expect(condition.safeParse(said).success).toBe(true);
});

test('given a Codex that is old, and then updated, when the ways to it are told, then first the screen alone, and why, and then its channel', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.near, 'codex');
  const programs = new Programs(given.ports);

  given.update('codex-cli 0.100.0');
  const before = await programs.read(true);
  given.update('codex-cli 0.169.0');
  const after = await new Programs(given.ports).read(true);

  expect(named(before, 'codex')).toMatchObject({
    hears: 'its screen alone: its program must be 0.145.0 or newer, and is 0.100.0',
  });
  expect(named(after, 'codex')).toMatchObject({ hears: 'a channel of its program, and its screen' });
});

test('given a program, when a trial has seen its version, then nothing is compared, and after an update it is', async () => {
  await using stack = new AsyncDisposableStack();
  const given = await place(stack);
  await given.add(given.far, 'claude');
  const [tried = ''] = BUILT_IN_PROFILES.get('claude')?.versions ?? [];
  given.update(`${tried} (Claude Code)`);
  const programs = new Programs(given.ports);

  await programs.read(true);
  const before = programs.untried('claude');
  given.update('99.0.1 (Claude Code)');
  await utimes(join(given.far, 'claude'), 7, 7);
  await programs.read(true);

  expect(before).toBeNull();
  expect(programs.untried('claude')).toBe('99.0.1');
});
