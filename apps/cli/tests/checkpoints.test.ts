/** Does a worker have its work back when a person wants it, and when everything around it has died? */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalHost, systemClock } from '@drover/host';
import { endServers } from '@drover/tmux';
import { expect, test } from 'vitest';
import type { RunningDrover } from './support/kill/drover.ts';
import { startTogether } from './support/kill/drover.ts';
import { until } from './support/until.ts';

const PROMPT = 'ONCE: WRITE draft.txt half an idea\nWAITFILE go\nCOMMIT the whole idea';

/** A worker in the middle of its task: a draft of its agent, and a note by hand, neither committed. */
async function atWork(drover: RunningDrover): Promise<string> {
  const { site, fleet } = drover;
  await fleet.connected();
  await fleet.add('alba');
  await fleet.reach(['alba'], { status: 'idle', never: ['error'], withinMs: 120_000 });
  await fleet.start('alba', PROMPT);
  const worktree = join(site.root, '.worktrees/alba');
  await until('the draft', () => existsSync(join(worktree, 'draft.txt')) || undefined);
  writeFileSync(join(worktree, 'note.txt'), 'by hand\n');
  return worktree;
}

/** Waits until the work is back, after the last line of history that says `since`, and the agent is at it. */
async function toldAgain({ fleet }: RunningDrover, since: string): Promise<void> {
  await until(`the agent to be told after ${since}`, async () => {
    const { history, worker } = await fleet.why('alba');
    const begun = history.findIndex(({ kind, rules }) => kind === since || rules.includes(since));
    const isBack = history.slice(0, begun).some(({ rules }) => rules.includes('restored-checkpoint'));
    return (isBack && worker.screen === 'processing') || undefined;
  });
}

/** The agent's draft; empty in the moment in which it is being brought back. */
function draftOf(worktree: string): string {
  try {
    return readFileSync(join(worktree, 'draft.txt'), 'utf8');
  } catch {
    return '';
  }
}

async function reviewed({ site, fleet }: RunningDrover, worktree: string): Promise<string> {
  writeFileSync(join(worktree, 'go'), '');
  await fleet.reach(['alba'], { status: 'needs_review', never: ['error', 'idle'], withinMs: 120_000 });
  return site.git(worktree, 'show', '--stat', '--format=%s', 'HEAD');
}

test('given a checkpoint by hand, when the work is damaged and a person recovers it, then it is as it was and the rest is kept', async () => {
  await using drover = await startTogether();
  const { site } = drover;
  const worktree = await atWork(drover);
  const made = JSON.parse(site.drover('checkpoints', 'create', 'alba', '--why', 'before I try', '--json'));
  writeFileSync(join(worktree, 'draft.txt'), 'damaged\n');
  writeFileSync(join(worktree, 'later.txt'), 'later\n');

  const planned = site.drover('recover', 'alba', '--dry-run');
  const untouched = readFileSync(join(worktree, 'draft.txt'), 'utf8');
  const recovered = site.drover('recover', 'alba', '--checkpoint', made.shortId);

  expect(planned).toContain('Nothing was done');
  expect(untouched).toBe('damaged\n');
  expect(recovered).toContain('alba has taken its task again');
  expect(readFileSync(join(worktree, 'draft.txt'), 'utf8')).toContain('half an idea');
  expect(existsSync(join(worktree, 'later.txt'))).toBe(false);
  const [, kept = ''] = /kept as (\S+)/.exec(recovered) ?? [];
  expect(site.git(site.root, 'show', `${kept}:later.txt`)).toBe('later\n');
  expect(site.drover('checkpoints', 'alba')).toContain('before I try');
  expect(site.drover('checkpoints', 'show', made.shortId)).toContain('note.txt');
  expect(await reviewed(drover, worktree)).toContain('note.txt');
}, 400_000);

test('given uncommitted work, when coordinator, database, machine agent and sessions die and the worktree is deleted, then the worker goes on with the work of its last checkpoint', async () => {
  await using drover = await startTogether();
  const { site, fleet, processes } = drover;
  const worktree = await atWork(drover);
  site.drover('checkpoints', 'create', 'alba');

  await processes.agent.kill();
  const tools = { host: createLocalHost({ env: process.env }), clock: systemClock };
  for (const directory of globSync(join(site.dir, 'run/drover/*'))) await endServers(tools, directory);
  rmSync(worktree, { recursive: true });
  processes.agent.start();
  await processes.agent.ready();
  await fleet.connected();

  await until('the note to be back', () => existsSync(join(worktree, 'note.txt')) || undefined);
  await toldAgain(drover, 'worktree-lost');
  expect(readFileSync(join(worktree, 'draft.txt'), 'utf8')).toContain('half an idea');
  const merged = await reviewed(drover, worktree);
  expect(merged).toContain('note.txt');
  expect(merged).toContain('draft.txt');
  const why = await fleet.why('alba');
  expect(JSON.stringify(why.history)).toContain('worktree is gone');
}, 400_000);

test('given a recovery under way, when everything is killed in each of its stages, then it goes on by itself to its end', async () => {
  await using drover = await startTogether();
  const { site, fleet, processes } = drover;
  const worktree = await atWork(drover);
  const { shortId } = JSON.parse(site.drover('checkpoints', 'create', 'alba', '--json'));

  for (const stage of ['closing', 'bringing', 'starting', 'giving']) {
    writeFileSync(join(worktree, 'draft.txt'), `damaged before ${stage}\n`);
    const recovering = site.begin('recover', 'alba', '--checkpoint', shortId);
    await until(`"${stage}"`, () => recovering.said().includes(stage) || recovering.ended()).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${recovering.said()}\n${site.drover('why', 'alba')}`);
    });
    await processes.agent.kill();
    recovering.stop();
    processes.agent.start();
    await processes.agent.ready();
    await fleet.connected();
    await until(`the draft to be back after ${stage}`, () => draftOf(worktree).includes('half an idea') || undefined);
    await toldAgain(drover, 'restore-ordered');
  }

  expect(await reviewed(drover, worktree)).toContain('note.txt');
}, 300_000);

test('given a machine on which nothing was kept, when a person asks for a recovery, then the reason and what to do are told', async () => {
  await using drover = await startTogether();
  const { site, fleet } = drover;
  await fleet.connected();
  await fleet.add('alba');
  await fleet.reach(['alba'], { status: 'idle', never: ['error'], withinMs: 120_000 });

  const said = (...args: string[]): string => {
    try {
      return site.drover(...args);
    } catch (error) {
      return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    }
  };

  expect(said('checkpoints')).toContain('No checkpoints yet');
  expect(said('recover')).toContain('No worker is in error');
  expect(said('recover', 'alba')).toContain('drover checkpoints create alba');
  expect(said('recover', 'alba', '--checkpoint', 'abcd')).toContain('There is no checkpoint "abcd"');
  expect(said('recover', 'alba', '--checkpoint', 'nonsense!')).toContain('at least 4 characters');
  expect(said('checkpoints', 'bruno')).toContain('There is no worker "bruno"');
});
