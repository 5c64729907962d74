/** Places of a project on each of two machines, and messages about them. */
import type { CommandResult } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { placed } from '../../src/facts/projects/place.ts';
import { taskTextFor } from '../../src/facts/tasks/text.ts';
import { twoMachines, type TwoMachines } from '../support/two-machines.ts';

const PREPARED: CommandResult = { kind: 'prepared', base: 'a', head: 'a', saved: null };
const NO_SOURCE: CommandResult = { kind: 'failed', code: 'source-missing', message: 'It is not there', retry: false };

/** Builds two machines, neither of which has made a checkout yet. */
async function withoutCheckouts(): Promise<TwoMachines> {
  const fleet = await twoMachines();
  for (const [id, row] of fleet.database.machines) fleet.database.machines.set(id, { ...row, checkouts: {} });
  return fleet;
}

/** Finds the root that the newest command of a worker names. */
function rootFor({ database }: TwoMachines, { id }: WorkerRow): string | undefined {
  return [...database.outbox.values()].findLast(({ workerId }) => workerId === id)?.settings.project.root;
}

async function answer(fleet: TwoMachines, worker: WorkerRow, result: CommandResult): Promise<void> {
  const machine = await fleet.ctx.store.readMachine(worker.machineId);
  if (machine === null) throw new Error('no machine');
  await fleet.ctx.store.takeCommands(machine.id, machine.epoch, 50);
  await fleet.say(machine, { kind: 'result', workerId: worker.id, ...fleet.commandOf(worker), result });
}

async function checkoutsOn({ ctx }: TwoMachines, machineId: string) {
  return Object.values((await ctx.store.readMachine(machineId))?.checkouts ?? {});
}

test('given machines with own workspaces, when each gets a worker of one project, then its commands and words name its own checkout', async () => {
  const fleet = await withoutCheckouts();
  const one = await fleet.hello(fleet.liar, { workspace: '/home/eve/w', roots: {} });
  const other = await fleet.hello(fleet.honest, { workspace: '/srv/w', roots: { p: '/srv/p' } });

  const [eva, udo] = [await fleet.begin(one, 'eva'), await fleet.begin(other, 'udo')];

  expect(rootFor(fleet, eva)).toBe('/home/eve/w/p');
  expect(rootFor(fleet, udo)).toBe('/srv/p');
  const [project] = await fleet.ctx.store.listProjects();
  if (project === undefined) throw new Error('no project');
  expect(taskTextFor(placed(project, one), eva, 'do it')).toContain('/home/eve/w/p/.worktrees/eva');
});

test('given a machine that cannot make its checkout, when it tries, then the reason is kept until it is made', async () => {
  const fleet = await withoutCheckouts();
  const machine = await fleet.hello(fleet.honest, { workspace: '/w', roots: {} });
  const udo = await fleet.begin(machine, 'udo');

  await answer(fleet, udo, NO_SOURCE);
  const failed = await checkoutsOn(fleet, machine.id);
  const ute = await fleet.begin(machine, 'ute');
  await answer(fleet, ute, PREPARED);
  const made = await checkoutsOn(fleet, machine.id);

  expect(failed).toMatchObject([
    { root: '/w/p', state: 'failed', error: { code: 'source-missing', message: 'It is not there' } },
  ]);
  expect(made).toMatchObject([{ root: '/w/p', state: 'ready', error: null }]);
});

test('given a checkout that is there, when a worktree of it cannot be made or the workspace becomes another one, then it stays', async () => {
  const fleet = await withoutCheckouts();
  const machine = await fleet.hello(fleet.honest, { workspace: '/w', roots: {} });
  await answer(fleet, await fleet.begin(machine, 'udo'), PREPARED);

  const ute = await fleet.begin(machine, 'ute');
  await answer(fleet, ute, { kind: 'failed', code: 'worktree-occupied', message: 'In the way', retry: false });
  const moved = await fleet.hello(machine, { workspace: '/elsewhere', roots: {} });
  const uwe = await fleet.begin(moved, 'uwe');

  expect(await checkoutsOn(fleet, machine.id)).toMatchObject([{ root: '/w/p', state: 'ready', error: null }]);
  expect(rootFor(fleet, uwe)).toBe('/w/p');
});
