/** Tests that two machines with homes and paths of their own work on one project in a remote bare repository. */
import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { restoreElsewhere } from '../support/restore-elsewhere.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { SecondMachine } from '../../../../tools/fleet/second-machine.ts';
import { GATHERS_LONG, mergeTogether } from '../support/train-across.ts';

test('given a project of a remote and two machines without a common path, when work is done on both and accepted, then the remote has both, and a checkpoint of one is what the other goes on from', async () => {
  await using sandbox = await Sandbox.open();
  const remote = path.join(sandbox.directory, 'remote.git');
  await sandbox.git('clone', '--quiet', '--bare', sandbox.source, remote);
  expect(await sandbox.drover(['init', '--source', `file://${remote}`, '--target', sandbox.root])).toMatchObject({
    status: 0,
  });
  const toml = `[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n${GATHERS_LONG}[repo]\nsource = "file://${remote}"\n`;
  await writeFile(path.join(sandbox.root, 'drover.toml'), toml);
  const up = await sandbox.up();
  await using server = await SecondMachine.join(sandbox, up);
  const here = JSON.parse((await sandbox.drover(['machine', 'list', '--json'])).stdout).find(
    ({ name }: { name: string }) => name !== 'server',
  ).name;

  for (const [worker, machine] of [
    ['eva', here],
    ['udo', 'server'],
  ]) {
    await sandbox.drover(['add', worker, '--machine', machine]);
    await sandbox.until(worker, 'idle');
    await sandbox.drover(['start', '--worker', worker, '--prompt', `WRITE of-${worker}.txt it\nCOMMIT by ${worker}`]);
  }
  for (const worker of ['eva', 'udo']) await sandbox.until(worker, 'needs_review');
  const listed: readonly { name: string; worktree: string }[] = JSON.parse(
    (await sandbox.drover(['status', '--json'])).stdout,
  );
  for (const worker of ['eva', 'udo'])
    expect((await sandbox.drover(['review', worker])).stdout).toContain(`of-${worker}.txt`);
  expect(await sandbox.drover(['accept', 'eva'])).toMatchObject({ status: 0 });
  // The review stands on the previous main; the worker continues with a candidate on the new one.
  expect((await sandbox.drover(['review', 'udo'])).stdout).toContain('of-udo.txt');
  await server.acceptAndKill('udo');

  const place = path.join(server.dataDir, 'workspace/demo-drover/.worktrees/udo');
  expect(listed.find(({ name }) => name === 'udo')?.worktree).toBe(place);
  const merged = await sandbox.git('-C', remote, 'log', '--format=%s', 'main');
  expect(merged.split('\n').toSorted()).toEqual(['by eva', 'by udo', 'first']);
  expect(await sandbox.git('-C', place, 'rev-parse', 'refs/remotes/origin/main')).toBe(
    await sandbox.git('-C', remote, 'rev-parse', 'main'),
  );

  expect(await mergeTogether(sandbox, ['eva', 'udo'])).toContain('its train is merged');
  expect((await sandbox.git('-C', remote, 'log', '--format=%s', '-2', 'main')).split('\n').toSorted()).toEqual([
    'again by eva',
    'again by udo',
  ]);

  const restored = await restoreElsewhere(sandbox, { from: 'eva', to: 'udo', removes: true });

  expect(restored.recovered).toMatchObject({ status: 0, stdout: expect.stringContaining('udo has taken') });
  expect(restored.note).toBe('by hand\n');
  expect(restored.review).toContain('half an idea');
}, 400_000);
