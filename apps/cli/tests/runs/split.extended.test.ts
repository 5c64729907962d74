/** Tests a run whose work is divided, with everything real: `drover up`, tmux, simulated agents that give results, git. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '@drover/api';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

test('given a plan that a person edits, when a split runs, then its parts are built side by side, joined, reviewed and merged', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();
  for (const name of ['adam', 'bea', 'cal']) await sandbox.done('add', name, '--wait');
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--workers', '2', '--json')) as RunView;
  const untilAsked = (about: 'gate' | 'accept' | null): Promise<RunView> =>
    until(`a question of run ${started.id}`, async () => {
      const run = await sandbox.ask<RunView>('runs.show', { id: started.id });
      const [question] = run.questions;
      return question !== undefined && (about ?? question.about) === question.about ? run : undefined;
    });
  const planned = await untilAsked(null);
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
  const again = await untilAsked(null);
  if (again.questions[0]?.about === 'gate') await sandbox.done('answer', started.shortId, 'start');
  const built = await untilAsked('accept');
  await sandbox.done('answer', started.shortId, 'accept');
  const ended = await sandbox.drover(['run', 'wait', started.shortId]);

  expect(built.stages.find(({ name }) => name === 'build')?.items).toHaveLength(2);
  expect(ended.status).toBe(0);
  expect(await sandbox.git('show', 'HEAD:src/one.txt')).toBe('one');
  expect(await sandbox.git('show', 'HEAD:src/two.txt')).toBe('two');
});
