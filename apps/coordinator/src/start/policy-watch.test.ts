/** Decisions follow a policy document that changes while a coordinator runs. */
import { DEFAULT_ONCALL, newWorker } from '@drover/core';
import type { NewProject, ProjectPolicy, WorkerOptions } from '@drover/store';
import { createMemoryStore, MemoryDatabase, workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { PolicyWatch } from './policy-watch.ts';
import type { PolicyReading } from './policy-watch.ts';
import type { Context } from '../context/context.ts';
import { createPolicyFleet } from '../use-cases/policies/policies.ts';
import { person } from '../../tests/support/actors.ts';
import { testContext } from '../testing/context.ts';

const PROJECT: NewProject = {
  id: 'p',
  name: 'p',
  source: '',
  root: '',
  defaultBranch: 'main',
  config: { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' },
};

async function watched(): Promise<{
  ctx: Context;
  watch: PolicyWatch;
  logged: string[];
  say: (now: PolicyReading) => void;
}> {
  const logged: string[] = [];
  const ctx: Context = testContext({
    store: createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 }),
    log: (level, message) => void logged.push(`${level} ${message}`),
  });
  await ctx.store.upsertProject(PROJECT, 1);
  let reading: PolicyReading = read({ project: {}, workers: {} });
  const watch = new PolicyWatch(ctx, { project: PROJECT, read: () => Promise.resolve(reading) });
  return { ctx, watch, logged, say: (now) => void (reading = now) };
}

function read(policy: ProjectPolicy, more: Partial<NewProject['config']> = {}): PolicyReading {
  return { kind: 'read', config: { ...PROJECT.config, policy, ...more }, says };
}

function countMax(value: number): ProjectPolicy {
  return { project: { crash: { countMax: value } }, workers: {} };
}

test('given a document that changed, when it is read, then its values hold and the log says which', async () => {
  const { ctx, watch, logged, say } = await watched();
  say(read(countMax(5)));

  await watch.readOnce();
  await watch.readOnce();

  const shown = await createPolicyFleet(ctx).showPolicy({}, person('ann'));
  const entries = shown.kind === 'ok' ? shown.value.entries : [];
  expect(entries).toContainEqual({ key: 'crash.countMax', value: 5, from: 'project' });
  expect(entries).toContainEqual({ key: 'settleMs', value: 500, from: 'default' });
  expect(logged).toEqual(['info The policy changed: crash.countMax 3 → 5']);
});

test('given [escalation] that changed, when it is read, then questions from now on are asked so, and the log says it once', async () => {
  const { ctx, watch, logged, say } = await watched();
  say(read(countMax(3), { escalation: { ...DEFAULT_ONCALL, repeat: 5 } }));

  await watch.readOnce();
  await watch.readOnce();

  expect((await ctx.store.listProjects())[0]?.config.escalation?.repeat).toBe(5);
  expect(logged.filter((line) => line.includes('[escalation]'))).toHaveLength(1);
});

test('given a document that broke, when it is read twice, then it is refused once and the old one holds', async () => {
  const { ctx, watch, logged, say } = await watched();
  say(read(countMax(5)));
  await watch.readOnce();
  say({ kind: 'broken', problems: ['drover.toml:2: policy.crash.countMax: expected a whole number; got -1'] });

  await watch.readOnce();
  await watch.readOnce();

  const shown = await createPolicyFleet(ctx).showPolicy({}, person('ann'));
  expect(shown).toMatchObject({
    value: { entries: expect.arrayContaining([{ key: 'crash.countMax', value: 5, from: 'project' }]) },
  });
  expect(logged.slice(1)).toEqual([expect.stringContaining('error The changed policy is invalid')]);
  expect(logged[1]).toContain('drover.toml:2: policy.crash.countMax');
});

test('given the defaults and changes from a file, when they are compared, then only what differs is told', async () => {
  const { ctx } = await watched();
  const changes = { kind: 'changes' as const, documents: [{ crash: { countMax: 4 } }] };

  const told = await createPolicyFleet(ctx).diffPolicies(
    { before: { kind: 'default' }, after: changes },
    person('ann'),
  );
  const broken = await createPolicyFleet(ctx).diffPolicies(
    { before: { kind: 'default' }, after: { kind: 'changes', documents: [{ crash: { countMax: 'x' } }] } },
    person('ann'),
  );

  expect(told).toMatchObject({ value: { differences: [{ key: 'crash.countMax', before: 3, after: 4 }] } });
  expect(broken).toMatchObject({ kind: 'refused', code: 'invalid' });
});

function says(): WorkerOptions {
  return workerOptions({ model: 'large', rolePrompt: 'Be brief.', role: 'developer' });
}

test('given a document that says otherwise of workers and of the project, when it is read, then both follow it, and the log says from when on', async () => {
  const { ctx, watch, logged, say } = await watched();
  const options = workerOptions({ model: 'small', own: { role: 'tester' }, role: 'tester' });
  await ctx.store.createJoinToken({ sha256: 't', expiresAt: 10, now: 1 });
  await ctx.store.joinMachine({ id: 'm', name: 'm', publicKey: 'k', tokenSha256: 't', now: 1 });
  const row = { id: 'w', projectId: 'p', machineId: 'm', name: 'adam', options, state: newWorker(), createdAt: 1 };
  await ctx.store.transaction((tx) => tx.insertWorker(row));
  say(read({ project: {}, workers: {} }, { validate: [['make']] }));

  await watch.readOnce();
  await watch.readOnce();

  expect((await ctx.store.readWorker('w'))?.options).toMatchObject({
    model: 'large',
    rolePrompt: 'Be brief.',
    role: 'tester',
  });
  expect((await ctx.store.listProjects())[0]?.config).toMatchObject({ validate: [['make']], copyFiles: [] });
  expect(logged).toEqual([
    'info Settings of workers changed: adam: model (from its next start), rolePrompt (from its next task)',
    'info The project "p" changed: validate; it applies from now on',
  ]);
});
