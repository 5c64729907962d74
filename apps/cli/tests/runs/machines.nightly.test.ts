/** Tests a run over two machines with everything real: parts on both, joined, reviewed on the other machine, merged. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunEventView, RunView } from '@drover/api';
import { sshdProgram } from '@drover/host/testing';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { SecondMachine } from '../../../../tools/fleet/second-machine.ts';
import { until } from '../../../../tools/fleet/wait.ts';
import { SshMachine } from '../support/ssh-machine.ts';

/** Lists what a machine keeps for runs, by the directory of its agent. */
function keptIn(machineDir: string): string {
  const depots = path.join(machineDir, 'depots');
  return readdirSync(depots)
    .map((name) => {
      const args = ['-C', path.join(depots, name, 'depot.git'), 'for-each-ref', 'refs/drover/runs'];
      const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    })
    .join('');
}

/** Bytes of a part: its parcel takes a while. */
const BYTES = 12_000_000;

/** The other machine of a fleet, and what happens to it while a parcel is on its way there. */
interface Other {
  readonly name: string;
  readonly machineDir: string;
  readonly interrupt: () => Promise<void>;
}

/** Plays a split with a part on each machine and the review on the other one, up to its merge. */
async function playSplit(sandbox: Sandbox, { name: other, machineDir, interrupt }: Other): Promise<void> {
  const machines: readonly { name: string }[] = JSON.parse(await sandbox.done('machine', 'list', '--json'));
  const home = machines.find(({ name }) => name !== other)?.name ?? '';
  await sandbox.done('add', 'adam', '--machine', home, '--wait');
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--workers', '2', '--json')) as RunView;
  const show = (): Promise<RunView> => sandbox.ask<RunView>('runs.show', { id: started.id });
  const untilAsked = (about: string): Promise<RunView> =>
    until(`the question about ${about}`, async () => {
      const run = await show();
      return run.questions[0]?.about === about ? run : undefined;
    }).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${await sandbox.done('run', 'why', started.id)}`);
    });
  await untilAsked('gate');
  for (const name of ['bea', 'cal']) await sandbox.done('add', name, '--machine', other, '--wait');
  const parts = ['one', 'two'].map((name) => ({
    title: `Part ${name}`,
    prompt: `WRITE src/${name}.txt ${name}\nRUN head -c ${BYTES} /dev/urandom > src/${name}.bin\nCOMMIT Build ${name}`,
    paths: [`src/${name}.txt`, `src/${name}.bin`],
  }));
  const plan = path.join(sandbox.directory, 'plan.json');
  await writeFile(plan, JSON.stringify(parts));

  await sandbox.done('answer', started.shortId, 'edit', '--file', plan);
  if ((await show()).questions[0]?.about === 'gate') await sandbox.done('answer', started.shortId, 'start');
  // The base on its way there, or a commit on its way back.
  const parcels = path.join(machineDir, 'parcels');
  await until('a parcel on its way', () => (existsSync(parcels) && readdirSync(parcels).length > 0) || undefined);
  await interrupt();
  const built = await untilAsked('accept');
  expect(keptIn(machineDir)).not.toBe('');
  await sandbox.done('answer', started.shortId, 'accept');
  const ended = await sandbox.drover(['run', 'wait', started.shortId]);

  expect(ended.status).toBe(0);
  expect(built.stages.find(({ name }) => name === 'build')?.items.map(({ status }) => status)).toEqual([
    'passed',
    'passed',
  ]);
  for (const name of ['one', 'two']) expect(await sandbox.git('show', `HEAD:src/${name}.txt`)).toBe(name);
  const events = await sandbox.ask<readonly RunEventView[]>('runs.events', { id: started.id, after: 0, limit: 500 });
  const why = await sandbox.done('run', 'why', started.id);
  const whoDid = (item: string): string => new RegExp(`${item}: (\\w+) has it`, 'u').exec(why)?.[1] ?? '';
  const builders = ['build/1', 'build/2'].map(whoDid);
  expect(builders).toContain('adam');
  expect(builders.filter((name) => name === 'bea' || name === 'cal')).toHaveLength(1);
  expect(['bea', 'cal']).toContain(whoDid('review'));
  expect(builders).not.toContain(whoDid('review'));
  const count = (kind: string): number => events.filter((event) => event.kind === kind).length;
  // A parcel that was cut is sent again: the run hears of it at most as often as it tries.
  expect(count('not-pinned')).toBeLessThan(5);
  expect([count('joined'), count('accepted'), count('task-ended')]).toEqual([1, 1, 4]);
  for (const name of ['adam', 'bea', 'cal']) await sandbox.until(name, 'idle');
  await until('the other machine to let go of the commits', () => (keptIn(machineDir) === '' ? true : undefined));
}

test('given a split whose parts two machines build, when the other machine’s agent is killed while a parcel is on its way, then the work is joined, reviewed there and merged, and that machine lets go of its commits', async () => {
  await using sandbox = await Sandbox.withRoot();
  const up = await sandbox.up();
  await using server = await SecondMachine.join(sandbox, up);
  const machineDir = path.join(server.dataDir, 'agent');
  const restart = async (): Promise<void> => {
    await server.kill();
    await server.start();
  };
  await playSplit(sandbox, { name: 'server', machineDir, interrupt: restart });
}, 600_000);

test.skipIf(sshdProgram() === undefined)(
  'given a split whose parts a local machine and one over SSH build, when its connections are cut while a parcel is on its way, then the work is joined, reviewed there and merged, and that machine lets go of its commits',
  async () => {
    await using sandbox = await Sandbox.withRoot();
    await using far = await SshMachine.start(sandbox);
    await sandbox.up();
    const added = await far.add('far', ['--host-key', far.fingerprint]);
    expect(added).toMatchObject({ status: 0 });
    await playSplit(sandbox, {
      name: 'far',
      machineDir: far.stateDirectory,
      interrupt: () => Promise.resolve(far.cut()),
    });
  },
  600_000,
);
