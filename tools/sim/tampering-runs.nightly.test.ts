// Checks that the simulation sees machines and coordinators that break the promises of runs (W1 to W12). Each is broken on purpose here.
import type { CommandResult, Item, TaskResult } from '@drover/core';
import type { Hands } from '@drover/machine-agent/testing';
import type { Query, QueryResult } from '@drover/protocol';
import type { DueWork, RunRow, StoreTransaction } from '@drover/store';
import type { Clones } from './machine/clones.ts';
import type { ScheduleOptions } from './schedule.ts';
import { changed, expectNoticed } from './tampering.ts';

type Tamper = Partial<ScheduleOptions>;

/** Each agent's use stays with its machine. */
const SAYS_NO_USE: Tamper = {
  tamper: ({ outbox }) => {
    const add = outbox.add.bind(outbox);
    outbox.add = (body) => {
      if (body.kind !== 'usage') add(body);
    };
  },
};

expectNoticed(
  'some schedules run',
  [
    [
      'a coordinator that forgets what its runs ask for',
      1,
      scheduled(without('run-request')),
      /which nobody carries out/,
    ],
    [
      'a coordinator that arms no deadline of a run',
      1,
      scheduled(without('run-deadline')),
      /its deadline is not due work/,
    ],
    ['a machine that passes checks that it never ran', 10, answers('run-check', passesUnchecked), /no check passed on/],
    ['a machine that reports results nobody left', 9, observes(inventsResults), /that its agent never left/],
    ['a coordinator that opens former stages again', 3, saved(reopensFirst), /has begun too early/],
    [
      'a coordinator that lets agents go on when a budget is spent',
      1,
      saved(goesOn),
      /goes on, and its (budget is|tokens are) spent/,
    ],
    ['a machine that tells nothing of what its agents use', 10, SAYS_NO_USE, /tokens, and nobody was told/],
    ['a coordinator that counts nothing of what its runs use', 2, saved(countsNothing), /it counts 0 of/],
    [
      'a coordinator that counts nothing of what a project uses',
      82,
      changed(() => ({ sumUsage: () => Promise.resolve([]) })),
      /beyond a budget of/,
    ],
    ['a coordinator that lets pass what was handed back', 7, saved(passesAll), /has passed, and its budget was spent/],
    [
      'a coordinator that tells its workers of no limit',
      1,
      changed(() => ({ readAccount: () => Promise.resolve(null) })),
      /is given a text, and its account is|met one limit/,
    ],
    ['a coordinator that begins each attempt twice', 3, startsTwice(), /is given .*, which .* has|are at it/],
    ['a coordinator that changes the goal of a run', 1, saved(changesGoal), /its terms have changed/],
    ['a machine that keeps nothing of what it says it keeps', 6, answers('run-pin', keepsNothing), /does not keep its/],
    [
      'a machine that brings nothing of what it says it brings',
      4,
      answers('run-bring', keepsNothing),
      /does not have$|does not keep its/,
    ],
    [
      'a machine that merges what it shall only check',
      9,
      answers('run-check', mergesAtOnce),
      /nobody has said yes to it/,
    ],
    ['a coordinator that takes limits for failures', 29, saved(countsLimits), /a limit spent a try/],
    [
      'a coordinator that never settles messages',
      4,
      changed(() => SETTLES_NOTHING),
      /waits for ever, and nobody was told/,
    ],
  ],
  { seeds: 300, runs: true },
);

const SETTLES_NOTHING: Partial<StoreTransaction> = { settleRunMessage: () => Promise.resolve(null) };

function scheduled(change: (rows: readonly DueWork[]) => readonly DueWork[]): Tamper {
  return changed((tx) => ({ schedule: (rows) => tx.schedule(change(rows)) }));
}

function without(left: DueWork['kind']): (rows: readonly DueWork[]) => readonly DueWork[] {
  return (rows) => rows.filter(({ kind }) => kind !== left);
}

/** A start is carried out, and stays to be carried out. */
function startsTwice(): Tamper {
  return changed((tx) => ({
    finishDueWork: async (work) => {
      const { request } = work.payload as { readonly request?: { readonly kind: string } };
      if (request?.kind !== 'start') return tx.finishDueWork(work);
      await tx.schedule([{ ...work, dueAt: work.dueAt + 3_000 }]);
    },
  }));
}

/** Each row of a run is changed before it is saved. */
function saved(change: (row: RunRow, before: RunRow | null) => RunRow): Tamper {
  return changed((tx) => ({ saveRun: async (row) => tx.saveRun(change(row, await tx.lockRun(row.id))) }));
}

function eachItem(row: RunRow, change: (item: Item) => Item): RunRow {
  const stages = row.state.stages.map((stage) => ({ ...stage, items: stage.items.map(change) }));
  return { ...row, state: { ...row.state, stages } };
}

function countsNothing(row: RunRow): RunRow {
  return eachItem(row, (item) => ({ ...item, usage: {} }));
}

function passesAll(row: RunRow): RunRow {
  return eachItem(row, (item) => {
    const { progress } = item;
    const isBack = progress.kind === 'settled' && progress.as === 'over-budget';
    return isBack ? { ...item, progress: { ...progress, as: 'passed' } } : item;
  });
}

function reopensFirst(row: RunRow): RunRow {
  const { state } = row;
  const isLate = state.stages.filter(({ isBegun }) => isBegun).length > 1;
  if (!isLate) return row;
  return {
    ...row,
    state: { ...state, stages: state.stages.map((stage, at) => (at > 0 ? stage : { ...stage, settled: null })) },
  };
}

function goesOn(row: RunRow): RunRow {
  return eachItem(row, (item) =>
    item.progress.kind === 'running' ? { ...item, progress: { ...item.progress, handBackUntil: null } } : item,
  );
}

function changesGoal(row: RunRow): RunRow {
  const terms = { ...row.state.terms, inputs: { goal: 'another goal' } };
  return row.seq > 3 ? { ...row, state: { ...row.state, terms } } : row;
}

function countsLimits(row: RunRow, before: RunRow | null): RunRow {
  const { state } = row;
  if (Object.keys(state.limited).length <= Object.keys(before?.state.limited ?? {}).length) return row;
  return eachItem(row, (item) => ({ ...item, triesSpent: item.triesSpent + 1 }));
}

interface Instead {
  readonly query: Query;
  readonly really: (query: Query) => Promise<QueryResult>;
  readonly pins: ReadonlyMap<string, Set<string>>;
}

/** Replaces the answers to queries of a kind. */
function answers(kind: Query['kind'], act: (instead: Instead) => Promise<QueryResult>): Tamper {
  return {
    tamperHands: (hands: Hands, clones: Clones) => ({
      ...hands,
      answer: (running, query) => {
        const really = (asked: Query): Promise<QueryResult> => hands.answer(running, asked);
        const { pins } = clones.of(running.settings.project.id);
        return query.kind === kind ? act({ query, really, pins }) : really(query);
      },
    }),
  };
}

function passesUnchecked(): Promise<QueryResult> {
  return Promise.resolve({ kind: 'run-checked', passed: true, output: '', culprit: null });
}

async function keepsNothing({ query, really, pins }: Instead): Promise<QueryResult> {
  const before = 'run' in query ? [...(pins.get(query.run) ?? [])] : [];
  const kept = await really(query);
  if (kept.kind === 'run-pinned' && 'run' in query && !before.includes(kept.commit))
    pins.get(query.run)?.delete(kept.commit);
  return kept;
}

function mergesAtOnce({ query, really }: Instead): Promise<QueryResult> {
  if (query.kind !== 'run-check') return really(query);
  const { run, request, profiles, commit } = query;
  return really({ kind: 'run-land', run, request, profiles, commit, began: commit });
}

/** Replaces the result in what a look at a worker brought. */
function observes(act: (result: Observed, attempt: number) => Observed): Tamper {
  return {
    tamperHands: (hands: Hands) => ({
      ...hands,
      carryOut: async (running, command) => {
        const result = await hands.carryOut(running, command);
        if (command.kind !== 'observe' || command.owed === undefined || result.kind !== 'observed') return result;
        return act(result, command.owed.attempt);
      },
    }),
  };
}

type Observed = Extract<CommandResult, { readonly kind: 'observed' }>;

const INVENTED: TaskResult = {
  verdict: 'done',
  summary: 'Nobody wrote this.',
  parts: [],
  report: '',
  findings: [],
  answers: [],
};

function inventsResults(seen: Observed, attempt: number): Observed {
  return { ...seen, result: { kind: 'given', attempt, at: Number.MAX_SAFE_INTEGER, result: INVENTED } };
}
