/** Tests runs with everything real: `drover up`, tmux, simulated agents that give results, git. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunView } from '@drover/api';
import { Sandbox } from './support/sandbox.ts';
import { until } from './support/until.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  for (const name of ['adam', 'bea', 'cal']) await sandbox.done('add', name, '--wait');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function show(id: string): Promise<RunView> {
  return JSON.parse(await sandbox.done('run', 'show', id, '--json')) as RunView;
}

async function untilRun(id: string, is: (run: RunView) => boolean): Promise<RunView> {
  let last: RunView | undefined;
  return until(`run ${id}`, async () => {
    last = await show(id);
    return is(last) ? last : undefined;
  }).catch(async (error: unknown) => {
    const why = await sandbox.drover(['run', 'why', id]);
    throw new Error(`${String(error)}; it is ${JSON.stringify(last, null, 1)}\n${why.stdout}`);
  });
}

test('given a goal, when a change runs, then it is built, reviewed by another worker, and merged by a yes to that commit', async () => {
  const started = JSON.parse(
    await sandbox.done('run', 'change', 'WRITE flag.txt on\nCOMMIT Add a flag', '--json'),
  ) as RunView;

  const waits = await untilRun(started.id, ({ questions }) => questions.length > 0);
  const [question] = waits.questions;
  expect(question).toMatchObject({ about: 'accept' });
  const [build, , review] = waits.stages;
  expect(build?.items[0]?.worker).not.toBe(review?.items[0]?.worker);
  const waited = await sandbox.drover(['run', 'wait', started.shortId]);
  expect(waited.status).toBe(13);

  await sandbox.done('answer', started.shortId, 'accept');
  const ended = await sandbox.drover(['run', 'wait', started.shortId]);

  expect(ended).toMatchObject({ status: 0 });
  const run = await show(started.id);
  expect(run).toMatchObject({ status: 'finished' });
  expect(await sandbox.git('show', 'HEAD:flag.txt')).toBe('on');
  expect(await sandbox.git('log', '-1', '--format=%H')).toBe(run.merged);
  for (const name of ['adam', 'bea', 'cal']) await sandbox.until(name, 'idle');
});
