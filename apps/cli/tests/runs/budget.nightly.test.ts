/** Measures by how much a budget in tokens is overshot, of a run and of a task of its own, with everything real but the agent. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EscalationView, ReportView, RunEventView, RunView } from '@drover/api';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

const BUDGET = 40_000;
/** Tokens beyond it that still show an interruption, those of a minute. How far it is overshot is a measure: seconds, unless the machine is overloaded. */
const OVERSHOOT_MAX = 75_000;
/** Milliseconds between two answers of 1,216 tokens: the budget lasts for half a minute. */
const ANSWER_MS = 900;

test.concurrent('given a budget in tokens, when an agent never stops, then it is told at 80 %, and interrupted at the end', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.done('add', 'adam', '--wait');
  const answers = Array.from({ length: 400 }, (_, at) => `SAY ${at}; SLOW ${ANSWER_MS}`).join('\\n');
  const file = path.join(sandbox.directory, 'spend.toml');
  await writeFile(file, `inputs = {}\nbudget = { tokens = ${BUDGET} }\n[build]\nask = "${answers}"\n`);
  const { id } = JSON.parse(await sandbox.done('run', file, '--json')) as RunView;

  const untilRun = (what: string, is: (run: RunView) => boolean): Promise<RunView> =>
    until(what, async () => {
      const run = await sandbox.ask<RunView>('runs.show', { id });
      return is(run) ? run : undefined;
    });
  await untilRun('half of the budget', ({ budget: { spent } }) => (spent.tokens ?? 0) > BUDGET / 2);
  const ended = await untilRun('its end', ({ stages }) => stages[0]?.status === 'over-budget');

  const events = JSON.parse(await sandbox.done('run', 'why', id, '--json')) as readonly RunEventView[];
  const rules = events.flatMap(({ lines }) => lines);
  expect(rules.join('\n')).toMatch(/budget/u);
  const tokens = ended.budget.spent.tokens ?? 0;
  console.info(`spent ${tokens} of ${BUDGET} tokens, with the turn that hands back`);
  expect(tokens).toBeGreaterThanOrEqual(BUDGET);
  expect(tokens).toBeLessThanOrEqual(BUDGET + OVERSHOOT_MAX);
});

test.concurrent("given a budget of a task outside of runs, when its agent never stops, then it is interrupted and hands back, and more is spent only after a person's answer", async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.configure(`[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[budget.task]\ntokens = ${BUDGET}\n`);
  await sandbox.up();
  await sandbox.done('add', 'adam', '--wait');
  const answers = Array.from({ length: 400 }, (_, at) => `SAY ${at}; SLOW ${ANSWER_MS}`).join('\n');
  await sandbox.done('start', '--worker', 'adam', '--prompt', answers);
  const spent = async (): Promise<number> => {
    const { cost } = await sandbox.ask<ReportView>('report', { sinceMs: 3_600_000 });
    return cost.tasks[0]?.tokens ?? 0;
  };

  // The simulated agent commits in the turn that hands back, so its work waits for review; what comes after that is not typed.
  await sandbox.until('adam', 'needs_review');
  const tokens = await spent();
  await sandbox.done('reject', 'adam', 'go on');
  await sandbox.until('adam', 'error');
  const [asked] = await sandbox.ask<readonly EscalationView[]>('escalations.list', { all: false, limit: 5 });

  console.info(`spent ${tokens} of ${BUDGET} tokens by a task, with the turn that hands back`);
  expect(tokens).toBeGreaterThanOrEqual(BUDGET);
  expect(tokens).toBeLessThanOrEqual(BUDGET + OVERSHOOT_MAX);
  expect(asked?.title).toMatch(/^The budget of the task is spent: \d+ of 40000 tokens\.$/u);
  expect(await sandbox.done('status')).toContain('The budget of the task is spent');
  expect(await sandbox.done('report', 'adam')).toContain(`${tokens} tokens`);
  await sandbox.done('answer', asked?.id ?? '', '--option', 'raise');
  await until('more use', async () => ((await spent()) > tokens ? true : undefined));
});

test.concurrent('given a budget of a worker in drover.toml, when its agent never stops in a run, then it is interrupted, the run waits and asks once, and a person lets it go on', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.configure('[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[budget.worker]\ntime = "20s"\n');
  await sandbox.up();
  await sandbox.done('add', 'adam', '--wait');
  const answers = Array.from({ length: 400 }, (_, at) => `SAY ${at}; SLOW ${ANSWER_MS}`).join('\\n');
  const file = path.join(sandbox.directory, 'spend.toml');
  await writeFile(file, `inputs = {}\n[build]\nask = "${answers}"\n`);
  const { id } = JSON.parse(await sandbox.done('run', file, '--json')) as RunView;
  const untilRun = (what: string, is: (run: RunView) => boolean): Promise<RunView> =>
    until(what, async () => {
      const run = await sandbox.ask<RunView>('runs.show', { id });
      return is(run) ? run : undefined;
    });

  const waiting = await untilRun('the question', ({ status }) => status === 'waiting');

  expect(waiting.questions).toMatchObject([{ about: 'budget', item: 'build' }]);
  expect(waiting.questions[0]?.text).toMatch(/^The budget of the worker is spent: \d+ s of 20 s at work\./u);
  console.info(await sandbox.done('run', 'show', id));
  console.info(await sandbox.done('run', 'why', id));
  console.info(await sandbox.done('status'));
  const asked = await sandbox.ask<readonly EscalationView[]>('escalations.list', { all: true, limit: 5 });
  expect(asked.filter(({ title }) => title.includes('budget'))).toHaveLength(1);
  console.info(await sandbox.done('answer', id, 'today'));
  const after = await untilRun('the next turn', ({ stages }) => (stages[0]?.items[0]?.attempt ?? 0) > 1);
  expect(after.stages[0]?.items[0]?.failures).toEqual([]);
});
