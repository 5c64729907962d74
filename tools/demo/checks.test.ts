// Checks that the demo notices when something is not as it promises.
import { rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkNothingRuns, checkTaken } from './checks.ts';
import { DemoFailure } from './failure.ts';
import { processesIn } from '../fleet/left-overs.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(async () => {
  place = await makePlace(process.env);
});
afterEach(() => rm(place.base, { recursive: true, force: true }));

const AS_PROMISED: readonly (readonly [worker: string, prompt: string])[] = [
  ['adam', 'You are working in: /here'],
  ['bea', 'You are working in: /there'],
  ['adam', 'Note: the session was cut off while you were working on this task.'],
  ['bea', 'Your work (commit 0123456789ab) was reviewed and sent back:'],
];

test('given every prompt once and the interrupted one restored, when the witness is read, then that is as promised', async () => {
  await witness(AS_PROMISED);

  expect(await checkTaken(place)).toContain('4 in all');
});

test('given a prompt that was taken twice, when the witness is read, then the demo fails and names the worker', async () => {
  await witness([...AS_PROMISED, ['bea', 'You are working in: /there']]);

  await expect(checkTaken(place)).rejects.toThrow(/bea took 2 prompts/u);
});

test('given a task that was not given again after the crash, when the witness is read, then the demo fails', async () => {
  await witness(AS_PROMISED.filter(([, prompt]) => !prompt.startsWith('Note:')));

  await expect(checkTaken(place)).rejects.toThrow(DemoFailure);
});

test('given a process that works in the demo, when the demo ends, then it is found until it has ended', async () => {
  const child = spawn('sleep', ['60'], { cwd: place.base, env: { ...place.env } });
  await once(child, 'spawn');

  const found = await processesIn([place.base]);
  child.kill('SIGKILL');
  await checkNothingRuns([place.base]);

  expect(found.map(({ pid }) => pid)).toEqual([child.pid]);
});

/** Writes the log of two agents that took these prompts. */
async function witness(prompts: readonly (readonly [string, string])[]): Promise<void> {
  const pids: Readonly<Record<string, number>> = { adam: 11, bea: 12 };
  const starts = Object.entries(pids).map(([name, pid]) => ({
    t: 1,
    pid,
    event: 'started',
    cwd: `/root/.worktrees/${name}`,
  }));
  const taken = prompts.map(([worker, prompt]) => ({ t: 2, pid: pids[worker], event: 'taken', prompt }));
  await writeFile(place.witness, [...starts, ...taken].map((line) => `${JSON.stringify(line)}\n`).join(''));
}
