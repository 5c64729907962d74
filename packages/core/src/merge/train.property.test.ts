/** Proves the promises of merges for trains of any length, order, luck and broken work, and finds faults in them. */
import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import type { Decide } from '../testing/history.ts';
import { playTrains } from '../testing/trains.ts';
import { changeAccept } from './state.ts';

const SEEDS = 300;

/** Returns the first seed that breaks a promise, with its report. */
function firstBroken(played: Decide, seeds = SEEDS): string | null {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { broken } = playTrains(played, seed);
    if (broken !== null) return `${broken} (seed ${seed})`;
  }
  return null;
}

test('given any train, when it goes, then only what passed is published, nobody is blamed in vain, nobody loses a place, and it ends', () => {
  expect(firstBroken(decide)).toBeNull();
});

test('given these trains, when they are counted, then all that can happen to a train has happened', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed += 1)
    for (const [what, times] of playTrains(decide, seed).seen) seen.set(what, (seen.get(what) ?? 0) + times);

  const all = ['accepted', 'blamed', 'failed', 'pushed', 'published 1', 'published 2', 'published 4'];
  expect(all.filter((what) => (seen.get(what) ?? 0) <= 10)).toEqual([]);
});

describe('a fault in the policy is found', () => {
  test.each<[string, Decide]>([
    [
      'it blames although the default branch is broken',
      (worker, event, ctx) => {
        const { step } = worker.merge;
        const isFailed = event.kind === 'command-finished' && event.result.kind === 'invalid';
        if (!isFailed || step.kind !== 'checking' || step.prefix !== 0) return decide(worker, event, ctx);
        const result = { kind: 'valid', head: step.own.base, tree: '', checks: 'make' } as const;
        return decide(worker, { ...event, result }, ctx);
      },
    ],
    [
      'it blames for one run',
      (worker, event, ctx) => {
        const after = decide(worker, event, ctx);
        const merge = changeAccept(after.worker.merge, (accept) => ({
          runs: accept.runs.map((run) => ({ ...run, failed: run.failed * 2 })),
        }));
        return { ...after, worker: { ...after.worker, merge } };
      },
    ],
    [
      'it publishes one more than what passed',
      (worker, event, ctx) => {
        const after = decide(worker, event, ctx);
        const commands = after.commands.map((issued) => {
          const { step } = after.worker.merge;
          const next = step.kind === 'publishing' ? step.train?.members[step.prefix - 1]?.link : undefined;
          return issued.command.kind === 'publish' && next !== undefined
            ? { ...issued, command: { ...issued.command, commit: next.commit } }
            : issued;
        });
        const { inFlight } = after.worker.command;
        const [first] = commands;
        if (first === undefined || inFlight === null) return after;
        const command = { ...after.worker.command, inFlight: { ...inFlight, command: first.command } };
        return { ...after, commands, worker: { ...after.worker, command } };
      },
    ],
    [
      'it counts an accept as new each time that it keeps its place',
      (worker, event, ctx) => {
        const after = decide(worker, event, ctx);
        if (event.kind !== 'train-left') return after;
        const merge = changeAccept(after.worker.merge, () => ({ since: ctx.now }));
        return { ...after, worker: { ...after.worker, merge } };
      },
    ],
    [
      'it does not tell those who come along that they are merged',
      (worker, event, ctx) => {
        const after = decide(worker, event, ctx);
        const isLanding = event.kind === 'command-finished' && event.result.kind === 'published';
        return isLanding ? { ...after, records: after.records.filter(({ kind }) => kind !== 'train') } : after;
      },
    ],
  ])('given that %s, when trains go, then a promise is broken', (_fault, faulty) => {
    expect(firstBroken(faulty)).not.toBeNull();
  });
});
