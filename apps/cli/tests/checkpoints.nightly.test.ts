/**
 * Tests that a worker gets its work back at a person's request, and after everything around the worker has died. A
 * single Drover serves all tests.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { endServers } from '@drover/tmux';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningDrover } from '../../../tools/fleet/drover.ts';
import { startTogether } from '../../../tools/fleet/drover.ts';
import { until } from '../../../tools/fleet/wait.ts';

const PROMPT = 'ONCE: WRITE draft.txt half an idea\nWAITFILE go\nCOMMIT the whole idea';

/** The shared Drover. Each test has a worker of its own there, and each but the first ends with its work in review. */
let drover: RunningDrover;
beforeAll(async () => {
  drover = await startTogether();
  await drover.fleet.connected();
});
afterAll(() => drover[Symbol.asyncDispose]());

async function addWorker(name: string): Promise<void> {
  await drover.fleet.add(name);
  await drover.fleet.reach([name], { status: 'idle', never: ['error'], withinMs: 120_000 });
}

/** Starts a worker in the middle of its task: a draft of its agent, and a note by hand, neither committed. @returns the worker's worktree. */
async function atWork(name: string): Promise<string> {
  await addWorker(name);
  await drover.fleet.start(name, PROMPT);
  const worktree = join(drover.site.root, '.worktrees', name);
  await until('the draft', () => existsSync(join(worktree, 'draft.txt')) || undefined);
  writeFileSync(join(worktree, 'note.txt'), 'by hand\n');
  return worktree;
}

/** Waits until the work is back, after the last line of history that says `since`, and the agent works on it. */
async function toldAgain(name: string, since: string): Promise<void> {
  await until(`the agent to be told after ${since}`, async () => {
    const { history, worker } = await drover.fleet.why(name);
    const begun = history.findIndex(({ kind, rules }) => kind === since || rules.includes(since));
    const isBack = history.slice(0, begun).some(({ rules }) => rules.includes('restored-checkpoint'));
    return (isBack && worker.screen === 'processing') || undefined;
  });
}

/** Reads the agent's draft; empty during its restore. */
function draftOf(worktree: string): string {
  try {
    return readFileSync(join(worktree, 'draft.txt'), 'utf8');
  } catch {
    return '';
  }
}

/** Lets the agent end its task. @returns the content of its commit. */
async function reviewed(name: string, worktree: string): Promise<string> {
  writeFileSync(join(worktree, 'go'), '');
  await drover.fleet.reach([name], { status: 'needs_review', never: ['error', 'idle'], withinMs: 120_000 });
  return drover.site.git(worktree, 'show', '--stat', '--format=%s', 'HEAD');
}

test('given a machine on which nothing was kept, when a person asks for a recovery, then the reason and what to do are told', async () => {
  const { site } = drover;
  await addWorker('alba');

  const said = (...args: string[]): string => {
    try {
      return site.drover(...args);
    } catch (error) {
      return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    }
  };

  expect(said('worker', 'checkpoint')).toContain('No checkpoints yet');
  expect(said('worker', 'recover')).toContain('No worker is in error');
  expect(said('worker', 'recover', 'alba')).toContain('drover worker checkpoint create alba');
  expect(said('worker', 'recover', 'alba', '--checkpoint', 'abcd')).toContain('There is no checkpoint "abcd"');
  expect(said('worker', 'recover', 'alba', '--checkpoint', 'nonsense!')).toContain('at least 4 characters');
  expect(said('worker', 'checkpoint', 'bruno')).toContain('There is no worker "bruno"');
});

test('given a checkpoint by hand, when the work is damaged and a person recovers it, then it is as it was and the rest is kept', async () => {
  const { site } = drover;
  const worktree = await atWork('bryn');
  const made = JSON.parse(site.drover('worker', 'checkpoint', 'create', 'bryn', '--why', 'before I try', '--json'));
  writeFileSync(join(worktree, 'draft.txt'), 'damaged\n');
  writeFileSync(join(worktree, 'later.txt'), 'later\n');

  const planned = site.drover('worker', 'recover', 'bryn', '--dry-run');
  const untouched = readFileSync(join(worktree, 'draft.txt'), 'utf8');
  const recovered = site.drover('worker', 'recover', 'bryn', '--checkpoint', made.shortId);

  expect(planned).toContain('This was a dry run');
  expect(untouched).toBe('damaged\n');
  expect(recovered).toContain('bryn has taken its task again');
  expect(readFileSync(join(worktree, 'draft.txt'), 'utf8')).toContain('half an idea');
  expect(existsSync(join(worktree, 'later.txt'))).toBe(false);
  const [, kept = ''] = /saved as (\S+)/.exec(recovered) ?? [];
  expect(site.git(site.archive(), 'show', `${kept}:later.txt`)).toBe('later\n');
  expect(site.drover('worker', 'checkpoint', 'bryn')).toContain('before I try');
  expect(site.drover('worker', 'checkpoint', 'show', made.shortId)).toContain('note.txt');
  expect(await reviewed('bryn', worktree)).toContain('note.txt');
}, 400_000);

test('given a recovery under way, when everything is killed in each of its stages, then it goes on by itself to its end', async () => {
  const { site, fleet, processes } = drover;
  const worktree = await atWork('cora');
  const { shortId } = JSON.parse(site.drover('worker', 'checkpoint', 'create', 'cora', '--json'));

  for (const stage of ['closing', 'bringing', 'starting', 'giving']) {
    writeFileSync(join(worktree, 'draft.txt'), `damaged before ${stage}\n`);
    const recovering = site.begin('worker', 'recover', 'cora', '--checkpoint', shortId);
    await until(`"${stage}"`, () => recovering.said().includes(stage) || recovering.ended()).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${recovering.said()}\n${site.drover('why', 'cora', '--all')}`);
    });
    await processes.agent.kill();
    recovering.stop();
    processes.agent.start();
    await processes.agent.ready();
    await fleet.connected();
    await until(`the draft to be back after ${stage}`, () => draftOf(worktree).includes('half an idea') || undefined);
    await toldAgain('cora', 'restore-requested');
  }

  expect(await reviewed('cora', worktree)).toContain('note.txt');
}, 300_000);

test('given uncommitted work, when coordinator, database, machine agent and sessions die and the worktree is deleted, then the worker goes on with the work of its last checkpoint', async () => {
  const { site, fleet, processes } = drover;
  const worktree = await atWork('dara');
  site.drover('worker', 'checkpoint', 'create', 'dara');

  await processes.agent.kill();
  const tools = { host: createLocalHost({ env: process.env }), clock: systemClock };
  for (const directory of globSync(join(site.dir, 'run/fleets/*'))) await endServers(tools, directory);
  rmSync(worktree, { recursive: true });
  processes.agent.start();
  await processes.agent.ready();
  await fleet.connected();

  await until('the note to be back', () => existsSync(join(worktree, 'note.txt')) || undefined);
  await toldAgain('dara', 'worktree-lost');
  expect(readFileSync(join(worktree, 'draft.txt'), 'utf8')).toContain('half an idea');
  const merged = await reviewed('dara', worktree);
  expect(merged).toContain('note.txt');
  expect(merged).toContain('draft.txt');
  const why = await fleet.why('dara');
  expect(JSON.stringify(why.history)).toContain('worktree is gone');
}, 400_000);
