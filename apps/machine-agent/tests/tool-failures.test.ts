/** Checks that a failed tool is answered by its hook, and reported once. With the real hook of the simulated agent. */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

const DROVER = fileURLToPath(new URL('../../../bin/drover.mjs', import.meta.url));
const HOOK = { hookCommand: [process.execPath, DROVER, 'hook'] };

function failuresFile(machine: TestMachine): string {
  const directory = join(machine.dir, 'data', 'hooks');
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.failures.jsonl')) ?? '');
}

test('given a tool that fails, when its hook is answered, then the coordinator hears what kind of failure it was', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent(HOOK);
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);

  const text = 'FAILTOOL npm error code ENOTFOUND with token ghp_0123456789abcdefghijABCDEFGHIJ012345';
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, text)), 'delivered');
  const told = await until('the failure', () => coordinator.bodies('tool-failed')[0]);

  expect(told).toMatchObject({
    workerId: settings.workerId,
    incarnation,
    report: { class: 'network', action: { kind: 'retry' } },
  });
  expect(JSON.stringify(told)).not.toContain('ghp_');
  expect(statSync(failuresFile(machine)).mode & 0o777).toBe(0o600);
});

test('given failures that were told, when the agent is started again, then only what came since is told', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = await machine.agent(HOOK);
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'FAILTOOL blorp one')), 'delivered');
  await until('the first failure', () => coordinator.bodies('tool-failed')[0]);
  await first[Symbol.asyncDispose]();

  const file = failuresFile(machine);
  const line = readFileSync(file, 'utf8');
  appendFileSync(file, `no JSON\n{"at":1}\n${line.replace('blorp one', 'blorp two')}`);
  await machine.agent(HOOK);
  const told = await until('the second failure', () => {
    const all = coordinator.bodies('tool-failed');
    return all.length > 1 ? all : undefined;
  });

  expect(told.map(({ report }) => report.evidence)).toEqual(['blorp one', 'blorp two']);
});

test('given no command that answers hooks, when a program is started, then none is installed for failed tools', async () => {
  await using machine = await TestMachine.start();
  await machine.agent();
  const settings = machine.worker();

  await machine.ready(settings);

  const hooks = readFileSync(join(machine.dir, 'data', 'hooks', `${settings.workerId}.settings.json`), 'utf8');
  expect(Object.keys(JSON.parse(hooks).hooks)).not.toContain('PostToolUseFailure');
  expect(Object.keys(JSON.parse(hooks).hooks)).toContain('PermissionRequest');
});
