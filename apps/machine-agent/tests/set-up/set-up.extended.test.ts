/** Checks that a worker's place is set up again when lock files change, and within the limits of the machine's owner. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
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

test('given a place that is there, when lock files in any directory change on the default branch, then another set-up is named', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const worker = workerOf(machine, 'true');
  const first = await prepare(machine, worker);

  machine.commit(machine.source, { 'b.txt': 'no lock file\n' }, 'second');
  const same = await prepare(machine, worker);
  machine.commit(machine.source, { 'app/Cargo.lock': 'one\n' }, 'third');
  const added = await prepare(machine, worker);
  machine.commit(machine.source, { 'app/Cargo.lock': 'two\n' }, 'fourth');
  const changed = await prepare(machine, worker);
  const without = await prepare(machine, { ...worker, project: { ...worker.project, workerSetup: [] } });

  expect(same).toEqual({ key: first?.key, fresh: false });
  expect(new Set([first?.key, added?.key, changed?.key]).size).toBe(3);
  expect(without).toBeUndefined();
});

test.each(['none', 'repository'] as const)(
  'given a machine whose owner allows commands of projects from "%s", when the coordinator commands a set-up, then it does not run, and no variable is set',
  async (checks) => {
    await using machine = await TestMachine.start();
    await machine.agent({ ceilings: { checks } });
    const [ran, own] = [join(machine.dir, 'ran'), join(machine.dir, 'own')];
    const worker = workerOf(machine, `touch '${ran}'`);
    const wanted = await prepare(machine, worker);

    const requested = await setUp(machine, worker);
    machine.commit(
      machine.source,
      {
        '.drover/checks.toml': `validate = [["true"]]\nworker_setup = [["sh", "-c", "echo \\"[$PORT]\\" > '${own}'"]]\n`,
      },
      'checks',
    );
    const fromRepository = { ...worker, project: { ...worker.project, validateFrom: 'repository' as const } };
    const then = await prepare(machine, fromRepository);
    const allowed = await setUp(machine, fromRepository);

    expect(existsSync(ran)).toBe(false);
    expect(then?.key).toMatch(/^[0-9a-f]{64}$/u);
    if (checks === 'none') {
      for (const result of [requested, allowed])
        expect(result).toMatchObject({ code: 'set-up-not-allowed', retry: false });
      expect(existsSync(own)).toBe(false);
      return;
    }
    expect(wanted).toBeUndefined();
    expect(allowed.kind).toBe('set-up');
    expect(readFileSync(own, 'utf8')).toBe('[]\n');
  },
);
