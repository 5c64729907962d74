/** Tests runs with everything real: `drover up`, tmux, simulated agents that give results, git. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEventView, RunView } from '@drover/api';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  for (const name of ['adam', 'bea', 'cal']) await sandbox.done('add', name, '--wait');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function untilRun(id: string, is: (run: RunView) => boolean): Promise<RunView> {
  let last: RunView | undefined;
  return until(`run ${id}`, async () => {
    last = await sandbox.ask<RunView>('runs.show', { id });
    return is(last) ? last : undefined;
  }).catch(async (error: unknown) => {
    const why = await sandbox.drover(['run', 'why', id]);
    throw new Error(`${String(error)}; it is ${JSON.stringify(last, null, 1)}\n${why.stdout}`);
  });
}

test('given a goal, when a change runs, then it is built, reviewed by another worker, and merged by a yes to that commit', async () => {
  const started = JSON.parse(await sandbox.done('run', 'change', 'Add a flag', '--json')) as RunView;

  const waits = await untilRun(started.id, ({ questions }) => questions.length > 0);
  const [question] = waits.questions;
  expect(question).toMatchObject({ about: 'accept' });
  const why = await sandbox.done('run', 'why', started.id);
  const [author, reviewer] = ['build', 'review'].map(
    (stage) => new RegExp(`${stage}: (\\w+) has it`, 'u').exec(why)?.[1],
  );
  expect([author, reviewer]).not.toContain(undefined);
  expect(author).not.toBe(reviewer);
  const waited = await sandbox.drover(['run', 'wait', started.shortId]);
  expect(waited.status).toBe(13);

  const unseen = await sandbox.drover(['accept', started.shortId]);
  expect(unseen).toMatchObject({ status: 1, stderr: expect.stringContaining(`drover review ${started.shortId}`) });
  const other = await sandbox.drover(['accept', started.shortId, '--head', 'abcdef1']);
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('another commit than abcdef1') });
  const reviewed = await sandbox.drover(['review', started.shortId]);
  expect(reviewed).toMatchObject({ status: 0, stdout: expect.stringContaining('+++ b/notes/') });
  expect(reviewed.stderr).toContain(`You have reviewed commit ${question?.commit}`);
  const ended = await sandbox.drover(['accept', started.shortId]);

  expect(ended).toMatchObject({ status: 0 });
  const run = JSON.parse(await sandbox.done('run', 'show', started.id, '--json')) as RunView;
  expect(run).toMatchObject({ status: 'finished' });
  // The simulated agent writes 1,216 tokens with each answer into its transcript.
  const told = run.stages.flatMap(({ items }) => items.map(({ tokens }) => tokens));
  expect(told.map((tokens) => tokens !== null && tokens >= 1_216)).toEqual([true, false, true, false]);
  expect(run.budget.spent.tokens).toBe(told.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0));
  expect(await sandbox.git('diff', '--name-only', 'HEAD^', 'HEAD')).toMatch(/^notes\/.*\.md$/u);
  expect(await sandbox.git('log', '-1', '--format=%H')).toBe(run.merged);
  for (const name of ['adam', 'bea', 'cal']) await sandbox.until(name, 'idle');
  await until('its commits to be let go', async () => {
    const events = JSON.parse(await sandbox.done('run', 'why', started.id, '--json')) as readonly RunEventView[];
    return events.some(({ kind }) => kind === 'forgotten') || undefined;
  });
});

test('given a plan that a person edits, when a split runs, then its parts are built side by side, joined, reviewed and merged', async () => {
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--workers', '2', '--json')) as RunView;
  const planned = await untilRun(started.id, ({ questions }) => questions.length > 0);
  const [gate] = planned.questions;
  expect(gate).toMatchObject({ about: 'gate', item: 'go' });
  const parts = ['one', 'two'].map((name) => ({
    title: `Part ${name}`,
    prompt: `WRITE src/${name}.txt ${name}\nCOMMIT Build ${name}`,
    paths: [`src/${name}.txt`],
  }));
  const plan = path.join(sandbox.directory, 'plan.json');
  await writeFile(plan, JSON.stringify(parts));

  await sandbox.done('answer', started.shortId, 'edit', '--file', plan);
  const again = await untilRun(started.id, ({ questions }) => questions.length > 0);
  if (again.questions[0]?.about === 'gate') await sandbox.done('answer', started.shortId, 'start');
  const built = await untilRun(started.id, ({ questions }) => questions.some(({ about }) => about === 'accept'));
  await sandbox.done('answer', started.shortId, 'accept');
  const ended = await sandbox.drover(['run', 'wait', started.shortId]);

  expect(built.stages.find(({ name }) => name === 'build')?.items).toHaveLength(2);
  expect(ended.status).toBe(0);
  expect(await sandbox.git('show', 'HEAD:src/one.txt')).toBe('one');
  expect(await sandbox.git('show', 'HEAD:src/two.txt')).toBe('two');
});

test('given a run that was stopped at its plan, when it is tried again, then the plan is taken over, and asked about once more', async () => {
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--json')) as RunView;
  const planned = await untilRun(started.id, ({ questions }) => questions.length > 0);
  await sandbox.done('run', 'stop', started.id);
  await untilRun(started.id, ({ endedAt }) => endedAt !== null);

  const again = JSON.parse(await sandbox.done('run', 'retry', started.id, '--json')) as RunView;

  const asks = await untilRun(again.id, ({ questions }) => questions.length > 0);
  expect(asks.stages[0]).toMatchObject({ name: 'plan', status: 'passed', items: [{ attempt: 0 }] });
  expect(asks.questions[0]?.parts).toEqual(planned.questions[0]?.parts);
  await sandbox.done('run', 'stop', again.id);
});
