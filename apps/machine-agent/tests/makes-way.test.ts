/** Do checks that Drover runs by itself make way for those of accepted work? */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

test('given checks of work that is not accepted, when those of accepted work need their place, then they make way, and can be run again', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const [gate, began] = [join(machine.dir, 'gate'), join(machine.dir, 'began')];
  const alba = machine.worker();
  const slow = `touch '${began}'; until [ -e '${gate}' ]; do sleep 0.05; done`;
  const { project } = alba;
  const waiting = { ...alba, project: { ...project, validate: [['sh', '-c', slow]] } };
  const accepted = { ...machine.worker('bruno'), project: { ...project, validate: [['test', '-f', 'bruno.txt']] } };
  const candidateOf = async (worker: WorkerSettings): Promise<Extract<Command, { kind: 'validate' }>> => {
    machine.commit(machine.worktree(worker.name), { [`${worker.name}.txt`]: 'mine\n' }, worker.name);
    const make = { kind: 'candidate', at: machine.pin(worker.name), began: null } as const;
    const { commit, tree } = await expectKind(coordinator.carriedOut(worker, make), 'candidate');
    return { kind: 'validate', at: { head: commit, tree } };
  };
  for (const worker of [waiting, accepted])
    await expectKind(
      coordinator.carriedOut(worker, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
      'prepared',
    );
  machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');
  const [ofWaiting, ofAccepted] = [await candidateOf(waiting), await candidateOf(accepted)];

  const first = coordinator.carriedOut(waiting, ofWaiting);
  await until('the checks', () => existsSync(began));
  const order = { kind: 'op', seq: 10, op: ofAccepted, asked: true } as const;
  const asked = coordinator.command(accepted, ofAccepted, { order });

  await expectKind(coordinator.result(asked.id), 'valid');
  expect(await first).toMatchObject({ kind: 'failed', code: 'made-way', retry: true });
  writeFileSync(gate, '');
  await expectKind(coordinator.carriedOut(waiting, ofWaiting), 'valid');
});
