/** Checks that a machine stays within its owner's limits, whatever its coordinator commands. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

function prepare(machine: TestMachine, worker: WorkerSettings): Promise<CommandResult> {
  return machine.coordinator.carriedOut(worker, { kind: 'prepare', reset: true, saveAs: randomUUID() });
}

function open(machine: TestMachine, worker: WorkerSettings): Promise<CommandResult> {
  return machine.coordinator.carriedOut(worker, {
    kind: 'open',
    launch: { kind: 'fresh', conversation: randomUUID() },
  });
}

function inProject(worker: WorkerSettings, change: Partial<WorkerSettings['project']>): WorkerSettings {
  return { ...worker, project: { ...worker.project, ...change } };
}

test('given a machine whose owner allows one directory, when a project lies elsewhere, then nothing is done for it', async () => {
  await using machine = await TestMachine.start();
  await machine.agent({ ceilings: { roots: [machine.root] } });

  const refused = await prepare(machine, inProject(machine.worker(), { root: `${machine.root}-2` }));
  const allowed = await prepare(machine, machine.worker('bela'));

  expect(refused).toMatchObject({ kind: 'failed', code: 'root-not-allowed', retry: false });
  expect(existsSync(`${machine.root}-2`)).toBe(false);
  expect(allowed.kind).toBe('prepared');
});

test('given a link inside an allowed directory, when a project lies behind it, then nothing is made where it leads', async () => {
  await using machine = await TestMachine.start();
  const allowed = join(machine.dir, 'allowed');
  const outside = join(machine.dir, 'outside');
  mkdirSync(allowed);
  mkdirSync(outside);
  symlinkSync(outside, join(allowed, 'way-out'));
  symlinkSync(join(machine.dir, 'nowhere'), join(allowed, 'dangling'));
  await machine.agent({ ceilings: { roots: [allowed] } });

  const behind = await prepare(machine, inProject(machine.worker(), { root: join(allowed, 'way-out', 'clone') }));
  const dangling = await prepare(machine, inProject(machine.worker(), { root: join(allowed, 'dangling') }));

  expect(behind).toMatchObject({ kind: 'failed', code: 'root-not-allowed' });
  expect(dangling).toMatchObject({ kind: 'failed' });
  expect(existsSync(join(outside, 'clone'))).toBe(false);
  expect(existsSync(join(machine.dir, 'nowhere'))).toBe(false);
});

test('given a machine that serves one repository, when the coordinator names another one, then it is neither cloned nor merged into', async () => {
  await using machine = await TestMachine.start();
  const hidden = join(machine.dir, 'private');
  mkdirSync(hidden);
  machine.git(hidden, 'init', '-q', '-b', 'main');
  machine.commit(hidden, { 'diary.txt': 'mine\n' }, 'first');
  await machine.agent({ ceilings: { sources: [machine.source] } });
  const settings = machine.worker();

  const refused = await prepare(machine, inProject(settings, { source: hidden }));
  const throughLink = await prepare(machine, inProject(settings, { source: `${machine.source}/../private` }));
  const forward = await machine.coordinator.carriedOut(inProject(settings, { source: hidden }), {
    kind: 'publish',
    base: 'a'.repeat(40),
    commit: 'b'.repeat(40),
  });
  const closed = await machine.coordinator.carriedOut(inProject(settings, { source: hidden }), { kind: 'close' });
  const allowed = await prepare(machine, settings);

  expect(refused).toMatchObject({ kind: 'failed', code: 'source-not-allowed', retry: false });
  expect(throughLink).toMatchObject({ kind: 'failed', code: 'source-not-allowed' });
  expect(forward).toMatchObject({ kind: 'failed', code: 'source-not-allowed' });
  expect(closed.kind).toBe('closed');
  expect(allowed.kind).toBe('prepared');
});

test('given a machine that allows one profile, when another one is requested, then no program is started', async () => {
  await using machine = await TestMachine.start();
  await machine.agent({ ceilings: { profiles: ['claude'] } });
  const settings = machine.worker();
  await expectKind(prepare(machine, settings), 'prepared');

  const refused = await open(machine, settings);

  expect(refused).toMatchObject({ kind: 'failed', code: 'profile-not-allowed', retry: false });
  expect(refused.kind === 'failed' && refused.message).toContain('allows only claude');
});

test('given a machine whose agents must ask, when one is requested that does not ask, then it asks and gets no more tools', async () => {
  await using machine = await TestMachine.start();
  const program = join(machine.dir, 'agent.sh');
  const argv = join(machine.dir, 'argv');
  // The agent is also asked for its version, which says nothing about its tools.
  const script = [
    '#!/bin/sh',
    '[ "$1" = --version ] && exit 1',
    `printf '%s\\n' "$@" > ${argv}.new && mv ${argv}.new ${argv}`,
    'exec sleep 600\n',
  ];
  writeFileSync(program, script.join('\n'), { mode: 0o755 });
  await machine.agent({
    ceilings: { skipPermissions: false, tools: ['Read'] },
    profiles: { claude: { program: [program], args: [], env: {} } },
  });
  const settings = machine.worker('alba', { profile: 'claude', skipPermissions: true, allowedTools: ['Bash', 'Read'] });
  await expectKind(prepare(machine, settings), 'prepared');

  await expectKind(open(machine, settings), 'opened');

  const words = await until('its arguments', () => existsSync(argv) && readFileSync(argv, 'utf8').split('\n'));
  expect(words).not.toContain('--dangerously-skip-permissions');
  expect(words).toContain('Read');
  expect(words).not.toContain('Bash');
  expect(machine.logs.filter((line) => line.includes('gets less than the coordinator asks for'))).toHaveLength(1);
});

test('given a machine that runs no checks, when a project has some, then its work does not count as valid', async () => {
  await using machine = await TestMachine.start();
  await machine.agent({ ceilings: { checks: 'none' } });
  const settings = machine.worker();
  await expectKind(prepare(machine, settings), 'prepared');
  const witness = join(machine.dir, 'ran');

  const refused = await machine.coordinator.carriedOut(inProject(settings, { validate: [['touch', witness]] }), {
    kind: 'validate',
    at: machine.pin(),
  });
  const without = await machine.coordinator.carriedOut(settings, { kind: 'validate', at: machine.pin() });

  expect(refused).toMatchObject({ kind: 'failed', code: 'checks-not-allowed', retry: false });
  expect(existsSync(witness)).toBe(false);
  expect(without.kind).toBe('valid');
});

test('given checks of the repository alone, when the coordinator names others and the worker changes the file, then those of the default branch run', async () => {
  await using machine = await TestMachine.start();
  const { coordinator, source } = machine;
  await machine.agent({ ceilings: { checks: 'repository' } });
  const [requested, accepted, own] = ['requested', 'accepted', 'own'].map((name) => join(machine.dir, name));
  const settings = inProject(machine.worker(), { validate: [['touch', requested ?? '']] });
  await expectKind(prepare(machine, settings), 'prepared');

  const missing = await coordinator.carriedOut(settings, { kind: 'validate', at: machine.pin() });
  machine.commit(source, { '.drover/checks.toml': `validate = [["touch", "${accepted}"]]\n` }, 'checks');
  machine.commit(machine.worktree(), { '.drover/checks.toml': `validate = [["touch", "${own}"]]\n` }, 'mine');
  const valid = await coordinator.carriedOut(settings, { kind: 'validate', at: machine.pin() });
  machine.commit(source, { '.drover/checks.toml': 'validate = "true"\n' }, 'broken');
  const broken = await coordinator.carriedOut(settings, { kind: 'validate', at: machine.pin() });

  expect(missing).toMatchObject({ kind: 'failed', code: 'checks-missing' });
  expect(valid.kind).toBe('valid');
  expect([requested, accepted, own].map((path) => existsSync(path ?? ''))).toEqual([false, true, false]);
  expect(broken).toMatchObject({ kind: 'failed', code: 'checks-unreadable' });
});

test('given copied files and hooks beyond what the owner allows, when a worktree is prepared, then neither comes', async () => {
  await using machine = await TestMachine.start();
  const { source } = machine;
  machine.commit(source, { '.gitignore': '.env*\n' }, 'ignore');
  writeFileSync(join(source, '.env'), 'KEY=1\n');
  writeFileSync(join(source, '.env.test'), 'KEY=2\n');
  await machine.agent({ ceilings: { copyFiles: ['.env.test'], hooks: false } });
  const settings = inProject(machine.worker(), { copyFiles: ['.env', '.env.test'], runHooks: true });

  const { supplies } = await expectKind(prepare(machine, settings), 'prepared');

  expect(supplies).toMatchObject({ copied: { count: 1, bytes: 6 }, forbidden: ['.env'], unmatched: [] });
  expect(existsSync(join(machine.worktree(), '.env.test'))).toBe(true);
  expect(existsSync(join(machine.worktree(), '.env'))).toBe(false);
  expect(machine.logs.join('\n')).toContain('copied files: .env.test; no git hooks');
});
