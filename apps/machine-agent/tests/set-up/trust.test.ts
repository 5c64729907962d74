/** Checks that tools that run files of a directory trust a worker's place, if a person has said so of the project. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

type Trust = WorkerSettings['project']['trust'];

/** Starts a machine that has mise and no direnv, and a project that has files of both. */
async function start(): Promise<{ readonly machine: TestMachine; readonly told: string }> {
  const machine = await TestMachine.start();
  const [bin, told] = [join(machine.dir, 'bin'), join(machine.dir, 'told.txt')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'mise'), `#!/bin/sh\necho "$PWD: $*" >>"${told}"\n`);
  chmodSync(join(bin, 'mise'), 0o755);
  machine.commit(machine.source, { 'mise.toml': '[tools]\n', '.envrc': 'export A=1\n' }, 'tools');
  await machine.agent({
    env: { ...process.env, HOME: join(machine.dir, 'home'), PATH: `${bin}:${process.env['PATH']}` },
  });
  return { machine, told };
}

async function prepare(machine: TestMachine, trust: Trust) {
  const worker = machine.worker();
  const trusting = { ...worker, project: { ...worker.project, trust } };
  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  const prepared = await expectKind(machine.coordinator.carriedOut(trusting, command), 'prepared');
  return { prepared, setUp: () => machine.coordinator.carriedOut(trusting, { kind: 'set-up' }) };
}

test('given a tool of which nobody has said anything, when a place is prepared, then its file is named and nothing is trusted', async () => {
  const { machine, told } = await start();
  await using _ = machine;

  const { prepared } = await prepare(machine, {});

  expect(prepared.supplies?.untrusted).toEqual([{ kind: 'mise', file: 'mise.toml' }]);
  expect(prepared.setUp).toBeUndefined();
  expect(existsSync(told)).toBe(false);
});

test('given a tool that is trusted, when a place is set up, then it is told so there; and not of a file that a worker has changed', async () => {
  const { machine, told } = await start();
  await using _ = machine;

  const { prepared, setUp } = await prepare(machine, { mise: true, direnv: true });
  const done = await setUp();
  const first = readFileSync(told, 'utf8');
  writeFileSync(join(machine.worktree(), 'mise.toml'), '[tasks.evil]\n');
  await setUp();

  expect(prepared).toMatchObject({ setUp: { fresh: true }, supplies: { untrusted: [] } });
  expect(done).toMatchObject({ kind: 'set-up' });
  expect(first).toBe(`${machine.worktree()}: trust --quiet mise.toml\n`);
  expect(readFileSync(told, 'utf8')).toBe(first);
});

test('given a tool that is not to be trusted, when a place is prepared, then nobody is told of it', async () => {
  const { machine } = await start();
  await using _ = machine;

  const { prepared } = await prepare(machine, { mise: false });

  expect(prepared).toMatchObject({ supplies: { untrusted: [] } });
  expect(prepared.setUp).toBeUndefined();
});
