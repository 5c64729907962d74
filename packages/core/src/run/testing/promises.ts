/** Promises of runs (W1 to W13), each as a question about one moment of a run. */
import fc from 'fast-check';
import { invariant } from '../../invariant.ts';
import { canonical } from '../../canonical.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { diceFrom } from '../../testing/dice.ts';
import type { BudgetScope } from '../allowance.ts';
import { decideRun, newRun } from '../decide-run.ts';
import { allItems, itemOf, planOf, stageName } from '../find.ts';
import { isOver } from '../run.ts';
import type { Item, Run } from '../run.ts';
import { needsOf } from '../texts.ts';
import { flows } from './flows.ts';
import { mustBeChecked, World } from './world.ts';
import type { Moment } from './world.ts';

type Promise = (moment: Moment) => string | null;

function passedNow({ before, decision }: Moment): readonly Item[] {
  const had = new Set(
    allItems(before)
      .filter(isPassed)
      .map(({ name }) => name),
  );
  return allItems(decision.run).filter((item) => isPassed(item) && !had.has(item.name) && !item.isAdopted);
}

function isPassed({ progress }: Item): boolean {
  return progress.kind === 'settled' && progress.as === 'passed';
}

function isThere(run: Run, name: string): boolean {
  const settled = run.stages.find((stage) => stage.name === name)?.settled;
  return settled?.as === 'passed' || settled?.as === 'partial';
}

function waitsForRequest(run: Run): boolean {
  return (
    run.releasing.length > 0 ||
    allItems(run).some(
      ({ progress }) => 'request' in progress && (progress.kind !== 'pinning' || progress.retryAt === null),
    )
  );
}

const PROMISES: Readonly<Record<string, Promise>> = {
  'W1: an open run has a deadline, a task, a request or a question': ({ decision: { run } }) => {
    const isAlive =
      isOver(run) ||
      run.questions.length > 0 ||
      Object.keys(run.deadlines).length > 0 ||
      waitsForRequest(run) ||
      allItems(run).some(({ progress }) => progress.kind === 'running');
    return isAlive ? null : `nothing will ever happen: ${run.why}`;
  },
  'W2: an item passes only by a valid result and a passed check on the same commit': (moment) => {
    const { run } = moment.decision;
    for (const { name, result, output, returns } of passedNow(moment)) {
      const plan = planOf(run, stageName(name));
      if (plan.kind === 'gate' || plan.kind === 'accept') continue;
      const commit = output.commit ?? '';
      if (mustBeChecked(run, name) && !moment.ledger.passedChecks.has(commit))
        return `${name} passed without its check`;
      const byAgent = plan.kind === 'task' || plan.kind === 'each' || plan.kind === 'review';
      const byPerson = moment.event.kind === 'answered';
      if (byAgent && result === null && !byPerson) return `${name} passed without a result`;
      if (byAgent && returns === 'commit' && !moment.ledger.pinned.has(commit))
        return `${name} passed without a commit`;
      if (
        plan.kind === 'review' &&
        result?.verdict === 'approve' &&
        result.findings.some(({ severity }) => severity === 'blocker')
      )
        return `${name} approved a blocker`;
    }
    return null;
  },
  'W3: a stage begins once those before it have ended, and what it needs is there': ({ before, decision: { run } }) => {
    const begun = run.stages.filter(({ isBegun }, at) => isBegun && before.stages[at]?.isBegun === false);
    const lacks = begun.flatMap(({ name }) => needsOf(planOf(run, name)).filter((need) => !isThere(run, need)));
    if (lacks.length > 0) return `a stage begins without ${lacks.join(', ')}`;
    const open = run.stages.findIndex(({ settled }) => settled === null);
    const later = run.stages.slice(open + 1).find(({ isBegun, settled }) => isBegun && settled === null);
    return open >= 0 && later !== undefined ? `${later.name} has begun too early` : null;
  },
  'W4: nothing begins, and nothing goes on, once a budget is spent': ({ decision: { run, requests } }) => {
    for (const stage of run.stages) {
      if (stage.clock.told !== 'spent' && run.clock.told !== 'spent') continue;
      const goesOn = stage.items.find(({ progress }) => progress.kind === 'running' && progress.handBackUntil === null);
      if (goesOn !== undefined && run.ending === null) return `${goesOn.name} goes on`;
      const begun = requests.find(
        (one) => (one.kind === 'start' || one.kind === 'send') && stageName(one.item.item) === stage.name,
      );
      if (begun !== undefined) return `${stage.name} orders more work`;
    }
    return null;
  },
  'W4: a spent budget of a worker, the project or the day interrupts, spends no try, and passes nothing': (moment) => {
    const { before, event, decision } = moment;
    if (event.kind !== 'budget-told' || event.uses.every(({ share }) => share < 1)) return null;
    const { run } = decision;
    const { allowed = {}, workers = {} } = run.budgets ?? {};
    const leaveOf = (scope: BudgetScope): unknown => (scope === 'worker' ? workers[event.workerId] : allowed[scope]);
    const isAllowed = event.uses.some(({ scope }) => leaveOf(scope) !== undefined);
    const theirs = allItems(run).filter(({ worker }) => worker?.workerId === event.workerId);
    const goesOn = theirs.find(
      ({ progress }) => progress.kind === 'running' && !progress.isAway && progress.handBackUntil === null,
    );
    if (goesOn !== undefined && !isAllowed && run.ending === null) return `${goesOn.name} goes on`;
    return triesOf(run) > triesOf(before) ? 'a spent budget spent a try' : null;
  },
  'W5: an item has one live task': ({ before, decision: { requests }, ledger }) => {
    const started = requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []));
    const released = requests.flatMap((one) => (one.kind === 'release' ? [one.workerId] : []));
    const holders = [...ledger.live].filter(([worker, item]) => started.includes(item) && !released.includes(worker));
    const doubled = started.find((name, at) => started.indexOf(name) !== at);
    const isPlaced = started.find(
      (name) =>
        before.stages.length > 0 &&
        allItems(before).some(
          (one) =>
            one.name === name &&
            one.progress.kind === 'running' &&
            one.worker !== null &&
            !released.includes(one.worker.workerId),
        ),
    );
    return doubled ?? isPlaced ?? holders.map(([worker, item]) => `${worker} still has ${item}`)[0] ?? null;
  },
  'W5: late results change nothing': ({ before, event, decision }) => {
    if (event.kind !== 'task-ended') return null;
    const item = allItems(before).find(({ name }) => name === event.item);
    const isPresent =
      item?.attempt === event.attempt &&
      (item.worker === null ? item.progress.kind === 'placing' : item.worker.workerId === event.workerId);
    if (isPresent || item === undefined) return null;
    return canonical(
      decision.run.stages.map(({ items }) => items.map(({ output, result }) => ({ output, result }))),
    ) === canonical(before.stages.map(({ items }) => items.map(({ output, result }) => ({ output, result }))))
      ? null
      : 'a late result was used';
  },
  'W6: flow, inputs and base never change': ({ before, decision: { run } }) =>
    canonical(before.terms) === canonical(run.terms) ? null : 'the terms have changed',
  'W7: what a worker made is pinned before it is freed': ({ decision: { requests }, ledger }) => {
    const freed = requests.flatMap((one) => (one.kind === 'release' ? [one.workerId] : []));
    const lost = freed.find((worker) => (ledger.unsafe.get(worker)?.size ?? 0) > 0);
    return lost === undefined ? null : `${lost} is freed with ${[...(ledger.unsafe.get(lost) ?? [])].join(', ')}`;
  },
  'W8: twice is once': ({ event, decision, now }) => {
    const again = decideRun(decision.run, event, { now, random: 0, policy: DEFAULT_POLICY });
    return again.requests.length === 0
      ? null
      : `${event.kind} twice asks for ${again.requests.map(({ kind }) => kind).join(', ')}`;
  },
  'W9: nobody reviews own work': (moment) => {
    const { run } = moment.decision;
    for (const { name } of passedNow(moment)) {
      const plan = planOf(run, stageName(name));
      if (plan.kind !== 'review') continue;
      const reviewer = allItems(moment.before).find((item) => item.name === name)?.worker?.workerId;
      if (itemOf(run, plan.of).authors.some(({ workerId }) => workerId === reviewer))
        return `${reviewer} approved own work`;
    }
    return null;
  },
  "W10, W13: work merges only by a person's yes to that commit": ({ decision: { requests }, ledger }) => {
    const accept = requests.find((one) => one.kind === 'accept');
    return accept === undefined || ledger.agreed.has(accept.commit.commit)
      ? null
      : `${accept.commit.commit} merges by itself`;
  },
  'W11: a limit spends no try, and a limited account gets no turn': ({
    before,
    event,
    decision: { run, requests },
  }) => {
    const isLimit = event.kind === 'account-changed' || (event.kind === 'not-placed' && event.why === 'account');
    if (isLimit && triesOf(run) > triesOf(before)) return 'a limit spent a try';
    const sent = requests.find((one) => one.kind === 'send' && isOnLimited(run, one.workerId));
    return sent === undefined ? null : 'a limited account gets a turn';
  },
  'At rest every item has ended and every worker is free': ({ decision: { run, requests }, ledger }) => {
    if (!isOver(run)) return null;
    const open = allItems(run).find(({ progress, worker }) => progress.kind !== 'settled' || worker !== null);
    const freed = requests.flatMap((one) => (one.kind === 'release' ? [one.workerId] : []));
    const busy = [...ledger.live.keys()].filter((worker) => !freed.includes(worker));
    const unpinned = allItems(run).find(
      ({ output, isAdopted }) => output.commit !== null && !isAdopted && !ledger.pinned.has(output.commit),
    );
    if (open !== undefined) return `${open.name} is open`;
    return busy[0] ?? unpinned?.name ?? null;
  },
};

function triesOf(run: Run): number {
  return allItems(run).reduce((all, { triesSpent }) => all + triesSpent, 0);
}

function isOnLimited(run: Run, workerId: string): boolean {
  const account = allItems(run).find(({ worker }) => worker?.workerId === workerId)?.worker?.account ?? null;
  return account !== null && Object.hasOwn(run.limited, account);
}

function watch(moment: Moment): void {
  for (const [name, holds] of Object.entries(PROMISES)) {
    const broken = holds(moment);
    if (broken !== null) throw new Error(`${name}: ${broken} (after ${JSON.stringify(moment.event)})`);
  }
}

/** Plays any flow with agents, machines, accounts and people that do anything. Throws when a promise is broken. */
export function playAny(runs: number): void {
  fc.assert(
    fc.property(flows, fc.integer(), (flow, seed) => {
      const terms = {
        id: 'r',
        flow,
        inputs: { goal: 'Do it' },
        base: { commit: 'base', tree: 'base tree' },
        by: 'mia',
        startedAt: 0,
        retryOf: null,
        skip: [],
        adopts: [],
      };
      invariant(new World(newRun(terms), diceFrom(seed), watch).play(), 'The run never comes to rest');
    }),
    { numRuns: runs },
  );
}
