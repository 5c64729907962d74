/** Tests a run whose coordinator and machine agent are killed again and again: nothing is lost, doubled or repeated. */
import { expect, test } from 'vitest';
import type { RunEventView, RunView } from '@drover/api';
import { Sandbox, type Up } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** Kills of one run. */
const KILLS = 6;

test('given a change, when Drover is killed at any moment of it, then its work is merged once, and no stage is done twice', async () => {
  await using sandbox = await Sandbox.withRoot();
  let up: Up = await sandbox.up();
  const env = { DATABASE_URL: up.databaseUrl };
  for (const name of ['adam', 'bea']) await sandbox.done('add', name, '--wait');
  const { id } = JSON.parse(await sandbox.done('run', 'change', 'Add a flag', '--json')) as RunView;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    // Each kill comes after another event of the run, whatever it is.
    const { seq } = await show(sandbox, id);
    await until(`event after ${seq}`, async () => {
      const run = await show(sandbox, id);
      return run.seq > seq || run.questions.length > 0 || undefined;
    });
    process.kill(up.pid, 'SIGKILL');
    up = await sandbox.up([], { env });
  }
  await until('the question', async () => (await show(sandbox, id)).questions.length > 0 || undefined);
  await sandbox.done('answer', id, 'accept');
  process.kill(up.pid, 'SIGKILL');
  await sandbox.up([], { env });
  const ended = await until('its end', async () => {
    const run = await show(sandbox, id);
    return run.endedAt === null ? undefined : run;
  });

  expect(ended.status).toBe('finished');
  expect(await sandbox.git('log', '--format=%H', 'HEAD^..HEAD')).toBe(ended.merged);
  expect(await sandbox.git('rev-list', '--count', 'HEAD')).toBe('2');
  const events = JSON.parse(await sandbox.done('run', 'why', id, '--json')) as readonly RunEventView[];
  const passed = events.flatMap(({ lines }) => lines.filter((line) => /^build: .* → passed/u.test(line)));
  expect(new Set(passed).size).toBe(1);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
});

async function show(sandbox: Sandbox, id: string): Promise<RunView> {
  return JSON.parse(await sandbox.done('run', 'show', id, '--json')) as RunView;
}
