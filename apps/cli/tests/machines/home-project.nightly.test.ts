/** Tests that two machines work on one project whose repository is a directory on one of them, by parcels alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { restoreElsewhere } from '../support/restore-elsewhere.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { SecondMachine } from '../../../../tools/fleet/second-machine.ts';
import { GATHERS_LONG, mergeTogether } from '../support/train-across.ts';
import { until } from '../../../../tools/fleet/wait.ts';

function git(at: string, ...args: readonly string[]): string {
  return spawnSync('git', ['-C', at, ...args], { encoding: 'utf8' }).stdout.trim();
}

/** A file as git-lfs leaves it in a repository: its content lies under the SHA-256 of that. */
const LARGE = {
  text: 'large\n',
  sha: '9bfce334a37bd1bc1d36b0370195b31fe9a9389dd43d0873891a3544ef1140a1',
  get path() {
    return `lfs/objects/${this.sha.slice(0, 2)}/${this.sha.slice(2, 4)}/${this.sha}`;
  },
};

/** Makes prompts: both add a file; udo also a file that Git LFS keeps. */
function promptOf(worker: string): string {
  const own = `WRITE of-${worker}.txt it\n`;
  // Place of git-lfs for this worktree.
  const at = `"$(git config lfs.storage)/../${LARGE.path}"`;
  const pointer = `version https://git-lfs.github.com/spec/v1\\noid sha256:${LARGE.sha}\\nsize ${LARGE.text.length}\\n`;
  const keep = `mkdir -p "$(dirname ${at})" && printf 'large\\n' > ${at} && printf '${pointer}' > large.bin`;
  const large = `WRITE .gitattributes *.bin filter=lfs\nRUN ${keep}\n`;
  return `${own}${worker === 'udo' ? large : ''}COMMIT by ${worker}`;
}

test('given a project at home on one machine, when another works on it and is killed while it carries and publishes, then both have one main, and a checkpoint of one is what the other goes on from', async () => {
  await using sandbox = await Sandbox.withRoot();
  const checked = path.join(sandbox.directory, 'checked');
  const checks = `validate = [["sh", "-c", "echo $(pwd) $(ls of-*) >> ${checked}"]]\nvalidate_on = ["absent", "server"]\n`;
  await sandbox.configure(`[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n${GATHERS_LONG}`, checks);
  const up = await sandbox.up();
  await using server = await SecondMachine.join(sandbox, up);
  const machines: readonly { name: string }[] = JSON.parse(
    (await sandbox.drover(['machine', 'list', '--json'])).stdout,
  );
  const home = machines.find(({ name }) => name !== 'server')?.name ?? '';

  await sandbox.drover(['add', 'udo', '--machine', 'server']);
  await until('the depot to be begun', () => existsSync(path.join(server.dataDir, 'agent/depots')) || undefined);
  await server.kill();
  await server.start();
  await sandbox.until('udo', 'idle');
  await sandbox.drover(['add', 'eva', '--machine', home]);
  await sandbox.until('eva', 'idle');
  for (const worker of ['eva', 'udo'])
    await sandbox.drover(['start', '--worker', worker, '--prompt', promptOf(worker)]);
  for (const worker of ['eva', 'udo']) await sandbox.until(worker, 'needs_review');
  expect((await sandbox.drover(['review', 'eva'])).stdout).toContain('of-eva.txt');
  expect(await sandbox.drover(['accept', 'eva'])).toMatchObject({ status: 0 });
  // The checks ran beside the work before its review, and for the merge on the project's machine.
  const runs = readFileSync(checked, 'utf8').split('\n');
  const isMerge = (run: string): boolean => run.startsWith(server.dataDir) && run.endsWith('/+landing of-eva.txt');
  expect(runs.filter(isMerge)).toHaveLength(1);
  expect((await sandbox.drover(['logs', 'eva'])).stdout).toContain('ended: valid on the machine "server"');
  expect((await sandbox.drover(['review', 'udo'])).stdout).toContain('of-udo.txt');
  await server.acceptAndKill('udo');

  const main = await sandbox.git('rev-parse', 'main');
  expect((await sandbox.git('log', '--format=%s', 'main')).split('\n').toSorted()).toEqual([
    'by eva',
    'by udo',
    'first',
  ]);
  expect(await sandbox.git('status', '--porcelain')).toBe('');
  // The other machine has an identity of its own.
  const authors = (await sandbox.git('log', '--format=%an <%ae>', 'main')).split('\n');
  expect(new Set(authors)).toEqual(new Set([authors.at(-1)]));
  // Content of Git LFS came along with the commit.
  expect(readFileSync(path.join(sandbox.source, '.git', LARGE.path), 'utf8')).toBe(LARGE.text);
  const place = path.join(server.dataDir, 'workspace/demo-drover/.worktrees/udo');
  expect(git(place, 'rev-parse', 'refs/remotes/origin/main')).toBe(main);
  expect(await sandbox.git('for-each-ref', '--format=%(refname)', 'refs/drover')).toBe('');

  expect(await mergeTogether(sandbox, ['eva', 'udo'])).toContain('its train is merged');
  expect((await sandbox.git('log', '--format=%s', '-2', 'main')).split('\n').toSorted()).toEqual([
    'again by eva',
    'again by udo',
  ]);

  const restored = await restoreElsewhere(sandbox, { from: 'eva', to: 'udo' });

  expect(restored.recovered).toMatchObject({ status: 0, stdout: expect.stringContaining('udo has taken') });
  expect(restored.note).toBe('by hand\n');
  expect(restored.review).toContain('half an idea');
}, 600_000);
