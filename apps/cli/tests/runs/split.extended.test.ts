/** Tests a run whose work is divided, with everything real: `drover up`, tmux, simulated agents that give results, git. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunView } from '@drover/api';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  for (const name of ['adam', 'bea', 'cal']) await sandbox.done('add', name, '--wait');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

function untilAsked(id: string, about: 'gate' | 'accept' | null = null): Promise<RunView> {
  return until(`a question of run ${id}`, async () => {
    const run = await sandbox.ask<RunView>('runs.show', { id });
    const [question] = run.questions;
    return question !== undefined && (about ?? question.about) === question.about ? run : undefined;
  });
}

test('given a plan that a person edits, when a split runs, then its parts are built side by side, joined, reviewed and merged', async () => {
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--workers', '2', '--json')) as RunView;
  const planned = await untilAsked(started.id);
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
  const again = await untilAsked(started.id);
  if (again.questions[0]?.about === 'gate') await sandbox.done('answer', started.shortId, 'start');
  const built = await untilAsked(started.id, 'accept');
  await sandbox.done('answer', started.shortId, 'accept');
  const ended = await sandbox.drover(['run', 'wait', started.shortId]);

  expect(built.stages.find(({ name }) => name === 'build')?.items).toHaveLength(2);
  expect(ended.status).toBe(0);
  expect(await sandbox.git('show', 'HEAD:src/one.txt')).toBe('one');
  expect(await sandbox.git('show', 'HEAD:src/two.txt')).toBe('two');
});

test('given a run that was stopped at its plan, when it is tried again, then the plan is taken over, and asked about once more', async () => {
  const started = JSON.parse(await sandbox.done('run', 'split', 'Move to ESM', '--json')) as RunView;
  const planned = await untilAsked(started.id);
  await sandbox.done('run', 'stop', started.id);
  await until('its end', async () => {
    const { endedAt } = await sandbox.ask<RunView>('runs.show', { id: started.id });
    return endedAt !== null;
  });

  const again = JSON.parse(await sandbox.done('run', 'retry', started.id, '--json')) as RunView;

  const asks = await untilAsked(again.id);
  expect(asks.stages[0]).toMatchObject({ name: 'plan', status: 'passed', items: [{ attempt: 0 }] });
  expect(planned.questions[0]?.parts).not.toHaveLength(0);
  expect(asks.questions[0]?.parts).toEqual(planned.questions[0]?.parts);
  await sandbox.done('run', 'stop', again.id);
});
