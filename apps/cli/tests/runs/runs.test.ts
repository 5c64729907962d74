/** Tests runs with everything real: `drover up`, tmux, simulated agents that give results, git. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEventView, RunView } from '@drover/api';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  for (const name of ['adam', 'bea']) await sandbox.done('add', name, '--wait');
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
  for (const name of ['adam', 'bea']) await sandbox.until(name, 'idle');
  await until('its commits to be let go', async () => {
    const events = JSON.parse(await sandbox.done('run', 'why', started.id, '--json')) as readonly RunEventView[];
    return events.some(({ kind }) => kind === 'forgotten') || undefined;
  });
});
