/** Tests the work queue and the hook with everything real: `drover up`, tmux, the simulated agent and its hooks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly priority: string;
  readonly status: string;
  readonly waitsFor: string | null;
  readonly worker: string | null;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function untilItem(title: string, is: (item: Item) => boolean): Promise<Item> {
  let last: Item | undefined;
  return until(`"${title}"`, async () => {
    const all = await sandbox.ask<readonly Item[]>('queue.list', { all: true, limit: 50 });
    last = all.find((item) => item.title === title);
    return last !== undefined && is(last) ? last : undefined;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${JSON.stringify(last)}`);
  });
}

test('given an idle worker, when a task is added to the queue, then it does it, and the item is done when it is accepted', async () => {
  const added = await sandbox.drover([
    'queue',
    'add',
    '--priority',
    's1',
    '--prompt',
    'WRITE a.md one\nCOMMIT Add a',
    '--json',
  ]);
  await sandbox.until('adam', 'needs_review');
  const shown = await sandbox.drover(['queue', 'show', JSON.parse(added.stdout).id]);
  await sandbox.drover(['review', 'adam']);
  await sandbox.drover(['accept', 'adam']);
  const done = await untilItem('WRITE a.md one', ({ status }) => status === 'done');

  expect(added).toMatchObject({ status: 0, stderr: '' });
  expect(shown.stdout).toMatch(/taken by adam/);
  expect(done.priority).toBe('S1');
});

test('given a tool that fails with a syntax error, when its hook was answered, then the queue holds it until its task is at its end', async () => {
  await sandbox.until('adam', 'idle');
  const prompt = 'FAILTOOL src/a.ts(3,7): error TS1005: expected\nASKTEXT Which way?';
  await sandbox.drover(['start', '--worker', 'adam', '--prompt', prompt]);
  const title = 'Fix the syntax error in src/a.ts:3';
  const filed = await untilItem(title, ({ status }) => status === 'open');
  const errors = await sandbox.drover(['report', 'errors', '--code', 'TOOL_FAILED', '--json']);
  const why = await sandbox.drover(['why', 'adam', '--all']);

  expect(filed).toMatchObject({ priority: 'S0', waitsFor: 'source', worker: null });
  expect(JSON.parse(errors.stdout)).toMatchObject([{ code: 'TOOL_FAILED', worker: 'adam' }]);
  expect(why.stdout).toContain('a tool failed (syntax)');
});

test.each<[string, readonly string[], number, RegExp]>([
  ['an id that no item has', ['show', 'ffffffff'], 4, /There is no item "ffffffff"/],
  ['no id at all', ['drop', 'x'], 2, /at least 4 characters/],
  ['a priority that is none', ['add', '--priority', 'S9', '--prompt', 'x'], 2, /"S9" is not a priority/],
  ['an empty prompt', ['add', '--prompt', ' '], 2, /empty/],
])('given %s, when the queue is asked, then it says what is wrong', async (_, args, status, words) => {
  const ended = await sandbox.drover(['queue', ...args]);

  expect(ended.stderr).toMatch(words);
  expect(ended.status).toBe(status);
});
