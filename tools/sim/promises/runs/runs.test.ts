// Checks that the checks of runs see the promises that no tampered machine or store can break, because two parts keep them: W5 and W9.
import { newRun, newWorker } from '@drover/core';
import type { Item, Run, Stage, TaskResult } from '@drover/core';
import { MemoryDatabase, runRow } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { RunChecks } from './runs.ts';

const BUDGET = { timeMs: null, tokens: null, money: null };
const WORK = { role: 'developer', profile: null, ask: '{{goal}}', tries: 1, budget: BUDGET } as const;
const BUILD: Stage = { kind: 'task', name: 'build', ...WORK, returns: 'commit', check: null };
const REVIEW: Stage = { kind: 'review', name: 'review', of: 'build', ...WORK, rounds: 1 };
const APPROVAL: TaskResult = { verdict: 'approve', summary: 'Good.', parts: [], report: '', findings: [], answers: [] };

function watched() {
  const database = new MemoryDatabase();
  const tally = new Tally(() => 0, { keepLines: false });
  const repository = { isPinned: () => true, worksBeyond: () => ['work-1'] };
  const checks = new RunChecks({ database, tally, isExact: true, repository }, () => {});
  const plain = runRow({ projectId: 'p', machineId: 'm' });
  const { terms } = plain.state;
  const state = newRun({ ...terms, flow: { ...terms.flow, stages: [BUILD, REVIEW] } });
  return { database, tally, checks, row: { ...plain, state } };
}

/** A run of which both stages are at these items. */
function at(run: Run, items: readonly Partial<Item>[]): Run {
  const stages = run.stages.map((stage, index) => ({ ...stage, items: [items[index] as Item] }));
  return { ...run, stages, deadlines: { budget: 9 } };
}

/** Lets a worker approve the work of another one. */
function approved(maker: string) {
  const { database, tally, checks, row } = watched();
  const given = { runId: row.id, item: 'review', attempt: 1, returns: 'review' } as const;
  const built = {
    name: 'build',
    output: { commit: 'c1' },
    progress: { kind: 'settled', as: 'passed' },
    usage: {},
  } as never;
  const review = { name: 'review', attempt: 1, result: null, output: { commit: null }, part: null, usage: {} };
  const saved = (seq: number, more: object): void => {
    const state = at(row.state, [built, { ...review, ...more } as never]);
    database.dueWork.set(`run-deadline ${row.id}`, { dueAt: 9 } as never);
    database.runs.set(row.id, { ...row, seq, state });
    database.runEvents.set(`${row.id} ${seq}`, {
      runId: row.id,
      seq,
      event: { kind: 'task-ended', end: {} },
      rules: [],
    } as never);
    checks.committed();
  };
  checks.noteWork('work-1', maker);
  checks.noteEvent({
    workerId: 'w1',
    workerName: 'ada',
    event: { kind: 'start-requested', run: given },
    rules: [],
  } as never);
  checks.left({ workerId: 'w1', owed: given, result: APPROVAL });
  saved(1, { progress: { kind: 'waiting' } });
  saved(2, { progress: { kind: 'settled', as: 'passed' }, result: APPROVAL });
  return tally;
}

test('given work of another worker, when it is approved, then no promise is broken', () => {
  expect(approved('w2').violation).toBeNull();
});

test('given its own work, when a worker approves it, then the promise counts as broken', () => {
  expect(approved('w1').violation).toMatch(/w1 approved its own work-1/);
});

test('given two workers at one item of a run, when that is saved, then the promise counts as broken', () => {
  const { database, tally, checks, row } = watched();
  const run = { runId: row.id, item: 'build', attempt: 1, phase: 'open' };
  for (const id of ['w1', 'w2'])
    database.workers.set(id, { id, name: id, state: { ...newWorker(), task: { kind: 'in-hand', run } } } as never);
  database.dueWork.set(`run-deadline ${row.id}`, { dueAt: 9 } as never);
  database.runs.set(row.id, { ...row, state: { ...row.state, deadlines: { budget: 9 } } });

  checks.committed();

  expect(tally.violation).toMatch(/w2 and w1 are at it/);
});

test('given a run, when more of its items than it has workers meet one limit, then the promise counts as broken', () => {
  const { database, tally, checks, row } = watched();
  database.runs.set(row.id, { ...row, state: at(row.state, []) });
  const took = (item: string): void =>
    checks.took({
      workerId: 'w1',
      owed: { runId: row.id, item, attempt: 1, returns: 'commit' },
      text: '',
      dryUntil: 9,
    });
  const { workers } = row.state.terms.flow.budget;

  for (let item = 1; item <= workers; item += 1) took(`build/${item}`);
  expect(tally.violation).toBeNull();
  took('review');

  expect(tally.violation).toMatch(/review met one limit/);
});
