/** Checks that a worker's place is set up with its own variables, and a failure is reported in its own words. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

/** Worker whose project sets places up by this script of a shell. */
function workerOf(machine: TestMachine, script: string): WorkerSettings {
  const worker = machine.worker();
  const project = { ...worker.project, workerSetup: [['sh', '-c', script]] };
  return { ...worker, env: { PORT: '3002', WORDS: 'a b' }, project };
}

async function prepare(machine: TestMachine, worker: WorkerSettings) {
  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  return (await expectKind(machine.coordinator.carriedOut(worker, command), 'prepared')).setUp;
}

function setUp(machine: TestMachine, worker: WorkerSettings): Promise<CommandResult> {
  return machine.coordinator.carriedOut(worker, { kind: 'set-up' });
}

test('given commands of a set-up, when they run, then it is in the place of the worker, with its variables, and their last lines are told', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const worker = workerOf(machine, 'echo "$PORT $WORDS $DROVER_WORKER" | tee ready.txt');

  const wanted = await prepare(machine, worker);
  const done = await setUp(machine, worker);

  expect(wanted).toMatchObject({ fresh: true });
  expect(done).toMatchObject({ kind: 'set-up', said: expect.stringContaining('said:\n"3002 a b alba"') });
  expect(readFileSync(join(machine.worktree(), 'ready.txt'), 'utf8')).toBe('3002 a b alba\n');
});

test('given a command that fails, when it is run, then the words name it, its exit, its last lines and what to do', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const worker = workerOf(machine, 'echo no such host >&2; exit 7');
  await prepare(machine, worker);

  const failed = await setUp(machine, worker);

  expect(failed).toMatchObject({ kind: 'failed', code: 'setup-failed', retry: false });
  const words = failed.kind === 'failed' ? failed.message : '';
  expect(words).toContain('"sh -c echo no such host >&2; exit 7" of [repo.worker] setup in drover.toml failed');
  expect(words).toContain('with exit status 7');
  expect(words).toMatch(/\.\nIt said:\n"no such host"\.\nCorrect it and try again, or start the worker without it\.$/u);
});
