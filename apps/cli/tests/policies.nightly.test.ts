/** Tests `drover debug policy`, `drover debug replay` and a changed drover.toml, with everything real. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import type { Up } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

const SETTINGS = '[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n';

let sandbox: Sandbox;
let up: Up;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  up = await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function file(name: string, text: string): Promise<string> {
  const at = path.join(sandbox.directory, name);
  await writeFile(at, text);
  return at;
}

async function countMax(worker?: string): Promise<unknown> {
  const of = worker === undefined ? [] : ['--worker', worker];
  const { stdout } = await sandbox.drover(['debug', 'policy', 'show', '--json', ...of]);
  const { entries } = JSON.parse(stdout) as { entries: { key: string; value: unknown; from: string }[] };
  return entries.find(({ key }) => key === 'crash.countMax');
}

const said = (what: RegExp): Promise<true> => until(`"${String(what)}"`, () => what.test(up.said()) || undefined);

test('given a running drover up, when drover.toml changes, breaks and is mended, then each is told, and the last good one holds', async () => {
  await sandbox.configure(`${SETTINGS}[policy.crash]\ncountMax = 5\n[workers.adam.policy.crash]\ncountMax = 7\n`);
  await said(/The policy changed: crash\.countMax 3 → 5/);
  const changed = await countMax();
  const ofAdam = await countMax('adam');
  const diff = await sandbox.drover(['debug', 'policy', 'diff']);

  await sandbox.configure(`${SETTINGS}[policy.crash]\ncountMax = -1\n`);
  await said(/The changed policy is invalid.*previous one stays in force/s);
  const kept = await countMax();
  const check = await sandbox.drover(['debug', 'policy', 'check']);

  await sandbox.configure(SETTINGS);
  await said(/The policy changed: crash\.countMax 5 → 3/);

  expect(changed).toEqual({ key: 'crash.countMax', value: 5, from: 'project' });
  expect(ofAdam).toEqual({ key: 'crash.countMax', value: 7, from: 'worker' });
  expect(diff.stdout).toMatch(/^crash\.countMax\s+3\s+→\s+5$/m);
  expect(kept).toEqual(changed);
  expect(check).toMatchObject({ status: 6, stdout: '' });
  expect(check.stderr).toContain('policy.crash.countMax: expected a whole number');
});

test('given policy files, when they are checked and compared, then what is wrong or differs is named', async () => {
  const good = await file('good.toml', 'nudge.firstMs = 60000\n');
  const bad = await file('bad.json', '{"nudge": {"nope": 1}}');

  const checked = await sandbox.drover(['debug', 'policy', 'check', good]);
  const refused = await sandbox.drover(['debug', 'policy', 'check', bad, '--json']);
  const differs = await sandbox.drover(['debug', 'policy', 'diff', 'default', good]);
  const missing = await sandbox.drover(['debug', 'policy', 'diff', 'no-such.toml']);

  expect(checked).toMatchObject({ status: 0, stderr: '' });
  expect(refused.status).toBe(6);
  expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, problems: [{ key: 'policy.nudge.nope' }] });
  expect(differs.stdout).toMatch(/^nudge\.firstMs\s+1800000\s+→\s+60000$/m);
  expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('no-such.toml') });
});

test('given a worker that crashed, when its history is decided again, then it comes out as recorded, and otherwise under another policy', async () => {
  const other = await file('impatient.toml', 'crash.countMax = 1\n');
  await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'ONCE: CRASH 3\nWRITE a.md one\nCOMMIT Add a']);
  await sandbox.until('adam', 'needs_review');

  const same = await sandbox.drover(['debug', 'replay', 'adam']);
  const supposed = await sandbox.drover(['debug', 'replay', 'adam', '--since', '1h', '--policy', other]);
  const json = await sandbox.drover(['debug', 'replay', 'adam', '--policy', other, '--json']);
  const nobody = await sandbox.drover(['debug', 'replay', 'nobody']);

  expect(same).toMatchObject({ status: 0, stderr: '' });
  expect(same.stdout).toMatch(/^adam: (\d+) of \1 decisions since \d\d:\d\d:\d\d have the recorded result/);
  expect(supposed.stdout).toContain('status 3 (first difference)');
  expect(supposed.stdout).toMatch(/status: working\n\s+→ error/);
  const replay = JSON.parse(json.stdout) as { decisions: number; reproduced: number; differing: number };
  expect(replay.reproduced).toBe(replay.decisions);
  expect(replay.differing).toBeGreaterThan(0);
  expect(nobody).toMatchObject({ status: 4, stdout: '' });
});

test('given options behind "list", when questions and the queue are listed, then they hold there, too', async () => {
  const nobody = await sandbox.drover(['escalation', 'list', '--worker', 'nobody']);
  const added = await sandbox.drover(['queue', 'add', '--priority', 'S3', '--prompt', 'SAY later', '--json']);
  const { id } = JSON.parse(added.stdout) as { id: string };
  await sandbox.drover(['queue', 'drop', id]);
  const all = await sandbox.drover(['queue', 'list', '--all']);

  expect(nobody).toMatchObject({ status: 4, stderr: expect.stringContaining('There is no worker "nobody"') });
  expect(all.stdout).toContain('dropped');
});
