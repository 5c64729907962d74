/** Do two machines work on one project whose repository is a directory on one of them, by parcels alone? */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { restoreElsewhere } from '../support/restore-elsewhere.ts';
import { Sandbox } from '../support/sandbox.ts';
import { SecondMachine } from '../support/second-machine.ts';
import { until } from '../support/until.ts';

function git(at: string, ...args: readonly string[]): string {
  return spawnSync('git', ['-C', at, ...args], { encoding: 'utf8' }).stdout.trim();
}

test('given a project at home on one machine, when another works on it and is killed while it carries and publishes, then both have one main, and a checkpoint of one is what the other goes on from', async () => {
  await using sandbox = await Sandbox.withRoot();
  const up = await sandbox.up();
  await using server = await SecondMachine.join(sandbox, up);
  const machines: readonly { name: string }[] = JSON.parse(
    (await sandbox.drover(['machines', 'list', '--json'])).stdout,
  );
  const home = machines.find(({ name }) => name !== 'server')?.name ?? '';

  await sandbox.drover(['add', 'udo', '--machine', 'server']);
  await until('the depot to be begun', () => existsSync(path.join(server.dataDir, 'agent/depots')) || undefined);
  await server.kill();
  await server.start(up);
  await sandbox.until('udo', 'idle');
  await sandbox.drover(['add', 'eva', '--machine', home]);
  await sandbox.until('eva', 'idle');
  for (const worker of ['eva', 'udo'])
    await sandbox.drover(['start', '--worker', worker, '--prompt', `WRITE of-${worker}.txt it\nCOMMIT by ${worker}`]);
  for (const worker of ['eva', 'udo']) await sandbox.until(worker, 'needs_review');
  expect((await sandbox.drover(['review', 'eva'])).stdout).toContain('of-eva.txt');
  expect(await sandbox.drover(['accept', 'eva'])).toMatchObject({ status: 0 });
  expect((await sandbox.drover(['review', 'udo'])).stdout).toContain('of-udo.txt');
  await server.acceptAndKill(up, 'udo');

  const main = await sandbox.git('rev-parse', 'main');
  expect((await sandbox.git('log', '--format=%s', 'main')).split('\n').toSorted()).toEqual([
    'by eva',
    'by udo',
    'first',
  ]);
  expect(await sandbox.git('status', '--porcelain')).toBe('');
  const clone = path.join(server.dataDir, 'workspace/demo-drover');
  expect(git(clone, 'rev-parse', 'refs/remotes/origin/main')).toBe(main);
  expect(await sandbox.git('for-each-ref', '--format=%(refname)', 'refs/drover')).toBe('');

  const restored = await restoreElsewhere(sandbox, { from: 'eva', to: 'udo' });

  expect(restored.recovered).toMatchObject({ status: 0, stdout: expect.stringContaining('udo has taken') });
  expect(restored.note).toBe('by hand\n');
  expect(restored.review).toContain('half an idea');
}, 400_000);
