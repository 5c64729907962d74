/** Proves that a worker keeps what it owes to a run, and all rules of recovery beside, in any history and order. */
import { beforeAll, expect, test } from 'vitest';
import { decide } from '../../decide.ts';
import type { Returns, TaskResult, Verdict } from '../../run/result.ts';
import type { ResultSeen, RunInHand, RunItem } from '../../run/task.ts';
import { firstBreak, prove } from '../../testing/check.ts';
import type { Decide, Moment, Watch } from '../../testing/history.ts';
import { RULES } from '../../testing/rules/index.ts';
import { recordsOf } from '../../testing/rules/rule.ts';
import type { Rule } from '../../testing/rules/rule.ts';
import type { WorkerEvent } from '../../worker/event.ts';
import { inHand, runOf } from '../../worker/task.ts';
import type { Worker } from '../../worker/worker.ts';

const FROM = { runs: 300, seed: 1 };
const RETURNS: readonly Returns[] = ['commit', 'commit', 'report', 'review'];

/** Plays the tasks of a history as tasks of a run: feedback becomes its next turn, a rebase its release, and checks read results of all sorts. */
const playRuns: Decide = (worker, event, ctx) => decide(worker, ofRun(worker, event, ctx.random), ctx);

function ofRun(worker: Worker, event: WorkerEvent, random: number): WorkerEvent {
  const run = runOf(worker.task);
  switch (event.kind) {
    case 'start-requested': {
      const returns = RETURNS[Math.floor(random * RETURNS.length)] ?? 'commit';
      return { ...event, run: { runId: 'r', item: 'build', attempt: 1, returns } };
    }
    case 'rebase-requested':
      return run === null ? event : released(run);
    case 'reject-requested':
      return run === null ? event : nextTurn(run, random);
    case 'command-finished':
      return event.result.kind === 'observed'
        ? { ...event, result: { ...event.result, result: seen(run, random, event.result.screen?.at ?? 0) } }
        : event;
    default:
      return event;
  }
}

function nextTurn({ runId, item, attempt, returns }: RunItem, random: number): WorkerEvent {
  const turn = { kind: 'run-turn-requested', id: `turn ${random}`, text: `findings ${random}` } as const;
  if (random < 0.2) return { ...turn, run: { runId, item, attempt, returns }, handBack: true };
  // The same request names the same attempt when it comes again.
  return { ...turn, run: { runId, item, attempt: 2 + Math.floor(random * 1_000), returns } };
}

function released({ runId, item }: RunItem): WorkerEvent {
  return { kind: 'run-released', id: 'c', run: { runId, item }, how: 'dropped', why: 'the run is over' };
}

function seen(run: RunInHand | null, random: number, at: number): ResultSeen | undefined {
  if (random < 0.2) return undefined;
  if (random < 0.3) return { kind: 'none' };
  if (random < 0.4) return { kind: 'invalid', problem: 'the file is not JSON' };
  const verdict: Verdict = run?.returns === 'review' ? 'approve' : random < 0.5 ? 'blocked' : 'done';
  const result: TaskResult = { verdict, summary: 's', parts: [], report: 'r', findings: [], answers: [] };
  const attempt = (run?.attempt ?? 1) - (random < 0.6 ? 1 : 0);
  return { kind: 'given', attempt, at: random > 0.95 ? 0 : at, result };
}

/** W2: only a valid result of this attempt, with what it owes, becomes a result. */
const W2: Rule = {
  letter: 'W2',
  holds: 'a result that a run is told is one of its attempt, younger than the receipt, with the commit that it owes',
  watch: () => (moment) => {
    const run = runOf(moment.before.task);
    const event = ofRun(moment.before, moment.event, moment.ctx.random);
    for (const { end } of recordsOf(moment, 'run')) {
      if (end.kind !== 'result') continue;
      const result = event.kind === 'command-finished' && event.result.kind === 'observed' ? event.result.result : null;
      if (run?.phase !== 'open') return 'W2: a worker that holds told a result';
      if (result?.kind !== 'given' || result.attempt !== run.attempt) return 'W2: no result of this attempt was read';
      if (run.takenAt === null || result.at < run.takenAt) return 'W2: the result is older than the receipt';
      if (run.returns === 'commit' && end.result.verdict === 'done' && end.commit === null) return 'W2: no commit';
    }
    return null;
  },
};

/** W5: an attempt ends once. */
const W5: Rule = {
  letter: 'W5',
  holds: 'an attempt of an item ends at most once',
  watch: () => {
    const ended = new Set<string>();
    return (moment) => {
      for (const { attempt, end } of recordsOf(moment, 'run')) {
        const key = `${inHand(moment.before.task)?.id} ${attempt}`;
        if (end.kind !== 'taken-away' && ended.has(key)) return `W5: attempt ${attempt} ended twice`;
        ended.add(key);
      }
      return null;
    };
  },
};

/** A run hears of every task that leaves its hands. */
const TOLD: Rule = {
  letter: 'told',
  holds: 'a run is told of every task that it loses',
  watch: () => (moment) => {
    const before = runOf(moment.before.task);
    const isSame = inHand(moment.before.task)?.id === inHand(moment.decision.worker.task)?.id;
    if (before === null || (isSame && runOf(moment.decision.worker.task) !== null)) return null;
    const isReleased = ofRun(moment.before, moment.event, moment.ctx.random).kind === 'run-released';
    return isReleased || recordsOf(moment, 'run').length > 0 ? null : 'a task left the run, and the run was not told';
  },
};

/** The run checks and merges by itself. */
const HOLDS: Rule = {
  letter: 'holds',
  holds: "a run's work is neither checked, rebased nor merged by its worker",
  watch: () => (moment: Moment) => {
    const { task, merge } = moment.decision.worker;
    if (runOf(task) === null) return null;
    const isMerging = merge.step.kind !== 'none' || merge.rebaseDue;
    return isMerging ? `its worker is at the step "${merge.step.kind}" of a merge` : null;
  },
};

const OURS = [W2, W5, TOLD, HOLDS];

/** The rules of recovery, which hear what a worker heard of its run. */
const RECOVERY = RULES.map((rule): Rule => {
  const watch = (): Watch => {
    const inner = rule.watch();
    return (moment) => inner({ ...moment, event: ofRun(moment.before, moment.event, moment.ctx.random) });
  };
  return { ...rule, watch };
});

const ends = new Set<string>();
/** Notes every end that is reached. */
const NOTE: Rule = {
  letter: 'ends',
  holds: 'every end is reached',
  watch: () => (moment) => {
    for (const { end } of recordsOf(moment, 'run')) ends.add(end.kind);
    return null;
  },
};

/** The rule that is broken, or null: each history is played once for all rules, and only after a break again for each of ours. */
let broken: string | null;
beforeAll(() => {
  broken = firstBreak([NOTE, ...OURS, ...RECOVERY], playRuns, FROM);
});

test.each(OURS.map((rule) => [rule.letter, rule.holds, rule] as const))(
  '%s: given any history of a run, when it is played, then %s',
  (_letter, _holds, rule) => {
    expect(broken === null ? null : prove(rule, playRuns, FROM).report).toBeNull();
  },
);

test('given any history of a run, when it is played, then all rules of recovery hold', () => {
  expect(broken).toBeNull();
});

test('given histories of runs, when they are played, then they reach every end', () => {
  expect([...ends].toSorted()).toEqual(['failed', 'no-result', 'result', 'taken-away']);
});
