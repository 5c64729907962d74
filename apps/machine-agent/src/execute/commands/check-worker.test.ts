import type { GitFacts, Reading } from '@drover/core';
import { expect, test } from 'vitest';
import type { DeliveryContext } from '../tools.ts';
import { checkWorkerWith } from './check-worker.ts';

const CHECK = { kind: 'observe', delivery: null, base: null } as const;

function commit(head: string): GitFacts {
  return { head, ahead: head === 'old' ? 0 : 1, dirty: 0, subject: head, rebasing: false, unmerged: 0 };
}

/** Checks a worker whose pane shows this, and whose worktree is at one head after another; the last one stays. */
async function checked(state: Reading['state'], heads: readonly string[]) {
  let reads = 0;
  const reading = { at: 7, state, fingerprint: 'f', progress: null, rule: 'r' };
  const context = {
    panes: { of: () => Promise.resolve({ incarnation: '1.2.%3.4', seeWhole: () => Promise.resolve({ reading }) }) },
    settings: { workerId: 'w' },
    profiles: { of: () => ({ profile: 'p' }) },
    clock: { now: () => 7 },
  };
  const result = await checkWorkerWith(context as unknown as DeliveryContext, CHECK, () => {
    const head = heads[Math.min(reads, heads.length - 1)] ?? 'old';
    reads += 1;
    return Promise.resolve(commit(head));
  });
  return { head: result.kind === 'observed' ? result.git?.head : result.kind, reads };
}

const READY: Reading['state'] = { kind: 'ready', composer: { kind: 'empty' }, after: 'completed' };
const BUSY: Reading['state'] = { kind: 'processing', queued: false, composer: { kind: 'empty' } };

test('given a commit between the look at git and the look at a screen that is ready, when both are told, then the commit is among them', async () => {
  expect(await checked(READY, ['old', 'new'])).toEqual({ head: 'new', reads: 3 });
});

test('given nothing new, when the screen is ready, then git is read twice; while the agent works, once', async () => {
  expect(await checked(READY, ['old'])).toEqual({ head: 'old', reads: 2 });
  expect(await checked(BUSY, ['old', 'new'])).toEqual({ head: 'old', reads: 1 });
});

test('given an agent that commits all the time, when it is looked at, then the last commit that was read is told', async () => {
  expect(await checked(READY, ['1', '2', '3', '4', '5', '6'])).toEqual({ head: '4', reads: 4 });
});
