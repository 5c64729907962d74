/** Does a fleet work on a project beside that of its root, with a worker of a known name? */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

test('given a fleet, when a second project is added with a worker of a known name, then it is asked which is meant, and both do their work', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();
  const remote = path.join(sandbox.directory, 'tools.git');
  await sandbox.git('clone', '--quiet', '--bare', sandbox.source, remote);
  await sandbox.drover(['add', 'eva']);
  await sandbox.until('eva', 'idle');

  expect(await sandbox.drover(['project', 'add', 'tools', '--source', `file://${remote}`])).toMatchObject({
    status: 0,
  });
  const asked = await sandbox.drover(['add', 'ida']);
  expect(await sandbox.drover(['add', 'eva', '--project', 'tools'])).toMatchObject({ status: 0 });
  await reached(sandbox, 'idle');
  expect(existsSync(path.join(sandbox.dataDir, 'workspace/tools/.git'))).toBe(true);
  expect(await sessionOf(sandbox, 'demo-drover/eva')).toBe('=drover-eva');
  expect(await sessionOf(sandbox, 'tools/eva')).toMatch(/^=drover-eva_[0-9a-f]{8}$/u);
  const ambiguous = await sandbox.drover(['start', '--worker', 'eva', '--prompt', 'x']);
  await sandbox.drover(['start', '--worker', 'tools/eva', '--prompt', 'WRITE of-tools.txt it\nCOMMIT by tools']);
  await reached(sandbox, 'needs_review');
  await sandbox.drover(['review', 'tools/eva']);
  expect(await sandbox.drover(['accept', 'tools/eva'])).toMatchObject({ status: 0 });

  expect([asked.status, ambiguous.status]).not.toContain(0);
  expect(asked.stderr).toContain('--project');
  expect(ambiguous.stderr).toContain('demo-drover/eva, tools/eva');
  expect(await sandbox.git('-C', remote, 'log', '--format=%s', 'main')).toContain('by tools');
  expect(await sandbox.git('log', '--format=%s', 'main')).toBe('first');
  const shown = (await sandbox.drover(['project', 'show', 'tools'])).stdout;
  expect(shown).toMatch(/ ready/u);
  expect((await sandbox.drover(['project', 'remove', 'tools', '--yes'])).stderr).toContain('drover nuke');
}, 400_000);

/** What `drover attach` would open. */
async function sessionOf(sandbox: Sandbox, name: string): Promise<string | undefined> {
  return JSON.parse((await sandbox.drover(['attach', name, '--json'])).stdout).argv.at(-1);
}

/** Waits for the worker of the second project. */
async function reached(sandbox: Sandbox, status: string): Promise<void> {
  await until(`the worker of the second project to be ${status}`, async () => {
    const workers: readonly { project: string; status: string }[] = JSON.parse(
      (await sandbox.drover(['status', '--json'])).stdout,
    );
    return workers.some((one) => one.project === 'tools' && one.status === status) || undefined;
  });
}
