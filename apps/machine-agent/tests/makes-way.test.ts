/** Checks that accepted work comes first: checks that Drover runs by itself make way for its checks. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

/** Makes workers with a commit each on a main that went on, and the command that runs a shell's words as the checks of each. */
async function checked(
  machine: TestMachine,
  words: Readonly<Record<string, string>>,
): Promise<readonly { readonly worker: WorkerSettings; readonly validate: Extract<Command, { kind: 'validate' }> }[]> {
  const { coordinator } = machine;
  const { project } = machine.worker();
  const workers = Object.entries(words).map(([name, script]) =>
    machine.worker(name, { project: { ...project, validate: [['sh', '-c', script]] } }),
  );
  const prepare = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  for (const worker of workers) await expectKind(coordinator.carriedOut(worker, prepare), 'prepared');
  machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');
  const all = [];
  for (const worker of workers) {
    machine.commit(machine.worktree(worker.name), { [`${worker.name}.txt`]: 'mine\n' }, worker.name);
    const make = { kind: 'candidate', at: machine.pin(worker.name), began: null } as const;
    const { commit, tree } = await expectKind(coordinator.carriedOut(worker, make), 'candidate');
    all.push({ worker, validate: { kind: 'validate', at: { head: commit, tree } } as const });
  }
  return all;
}

test('given checks of work that is not accepted, when those of accepted work need their place, then they make way, and can be run again', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const [gate, began] = [join(machine.dir, 'gate'), join(machine.dir, 'began')];
  const slow = `touch '${began}'; until [ -e '${gate}' ]; do sleep 0.05; done`;
  const [waiting, accepted] = await checked(machine, { alba: slow, bruno: 'test -f bruno.txt' });
  if (waiting === undefined || accepted === undefined) throw new Error('No workers');

  const first = coordinator.carriedOut(waiting.worker, waiting.validate);
  await until('the checks', () => existsSync(began));
  const body = { kind: 'command', seq: 10, command: accepted.validate, asked: true } as const;
  const asked = coordinator.command(accepted.worker, accepted.validate, { body });

  await expectKind(coordinator.result(asked.id), 'valid');
  expect(await first).toMatchObject({ kind: 'failed', code: 'made-way', retry: true });
  writeFileSync(gate, '');
  await expectKind(coordinator.carriedOut(waiting.worker, waiting.validate), 'valid');
});

test('given checks that wait for their place, when those of accepted work come, then these are next', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const [began, turns] = [join(machine.dir, 'began'), join(machine.dir, 'turns')];
  const note = (name: string): string => `echo ${name} >> '${turns}'`;
  const slow = `touch '${began}'; sleep 30`;
  const [running, waiting, accepted] = await checked(machine, { alba: slow, bea: note('bea'), bruno: note('bruno') });
  if (running === undefined || waiting === undefined || accepted === undefined) throw new Error('No workers');

  const first = coordinator.carriedOut(running.worker, running.validate);
  await until('the checks', () => existsSync(began));
  const second = coordinator.carriedOut(waiting.worker, waiting.validate);
  const asked = { kind: 'command', seq: 10, command: accepted.validate, asked: true } as const;
  const third = coordinator.command(accepted.worker, accepted.validate, { body: asked });

  await expectKind(coordinator.result(third.id), 'valid');
  await expectKind(second, 'valid');
  expect(await first).toMatchObject({ kind: 'failed', code: 'made-way' });
  expect(readFileSync(turns, 'utf8')).toBe('bruno\nbea\n');
});
