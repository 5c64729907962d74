/** Prepares places of workers on a machine of a test. */
import { randomUUID } from 'node:crypto';
import type { WorkerSettings } from '@drover/protocol';
import { expectKind, TestMachine } from './machine.ts';

/** Prepares the place of a worker. @returns the commit that it begins on. */
export async function prepared(machine: TestMachine, worker: WorkerSettings): Promise<string> {
  const command = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
  return (await expectKind(machine.coordinator.carriedOut(worker, command), 'prepared')).base;
}

/** Starts a machine with one worker, whose place is prepared. */
export async function withPlace(): Promise<{ readonly machine: TestMachine; readonly settings: WorkerSettings }> {
  const machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  return { machine, settings };
}
