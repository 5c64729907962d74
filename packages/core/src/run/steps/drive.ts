/** Orders the next step of an item that waits: work for an agent, a check, a join, a question, a merge. */
import { findItem, outputOf, planOf, stageName, stageOf } from '../find.ts';
import { allItems, isUsable } from '../find.ts';
import type { Checks, Stage } from '../flow.ts';
import { chainOf } from '../overlap.ts';
import type { PinnedCommit, PlaceWish, RunQuestion } from '../request.ts';
import type { Item, Run, StageState } from '../run.ts';
import { change, nextRequest, request, setItem, settleItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { textFor } from '../texts.ts';
import { adopt, fingerprintOf } from './adopt.ts';
import { ask } from './ask.ts';
import { isSpent } from './budgets.ts';
import { beforeRound } from './review.ts';
import { tellPlan, tellWork } from './telling.ts';

/** Orders what an item of the stage in hand needs next, if it can have it now. */
export function drive(step: RunStep, name: string): RunStep {
  const item = findItem(step.run, name);
  if (item === null || item.progress.kind !== 'waiting' || !isDue(item, step.ctx.now)) return step;
  const { on } = item.progress;
  if (on === 'check') return requestCheck(step, item);
  const plan = planOf(step.run, stageName(name));
  const adopted =
    item.attempt === 0 && item.words === '' && plan.kind !== 'accept' ? adopt(step, chained(step, item)) : null;
  if (adopted !== null) return adopted;
  switch (plan.kind) {
    case 'gate':
      return askGate(step, item, plan);
    case 'accept':
      return askAccept(step, item);
    case 'check':
      return requestCheck(noted(step, item), item);
    case 'join':
      return item.words === '' ? requestJoin(noted(step, item), item, plan.of) : requestWork(step, item, plan);
    case 'review':
      return beforeRound(step, name) ?? requestWork(step, item, plan);
    case 'task':
    case 'each':
      return requestWork(step, item, plan);
  }
}

/** Tells whether the wait of an item is over. */
function isDue({ progress }: Item, now: number): boolean {
  if (progress.kind !== 'waiting') return false;
  return progress.on === 'turn' || (progress.retryAt !== null && progress.retryAt <= now);
}

function noted(step: RunStep, item: Item): RunStep {
  return setItem(step, item.name, { fingerprint: fingerprintOf(step.run, item) });
}

/** Returns the item with the commit of the part before it in its chain. */
function chained({ run }: RunStep, item: Item): Item {
  const before = predecessor(run, item);
  if (item.attempt > 0 || before?.output.commit == null || !isUsable(before)) return item;
  return { ...item, from: before.output.commit, authors: before.authors };
}

/** Returns the part that must be over before this one begins. */
export function predecessor(run: Run, item: Item): Item | null {
  const { items } = stageOf(run, stageName(item.name));
  const parts = items.flatMap(({ part }) => part ?? []);
  if (item.part === null || parts.length < items.length) return null;
  const before = chainOf(parts);
  let at = before[items.findIndex(({ name }) => name === item.name)] ?? null;
  // A part that failed gives nothing to stand on: the one before it does.
  while (at !== null) {
    const other = items[at];
    if (other === undefined || other.progress.kind !== 'settled' || isUsable(other)) return other ?? null;
    at = before[at] ?? null;
  }
  return null;
}

function requestWork(step: RunStep, waiting: Item, plan: Extract<Stage, { role: string }>): RunStep {
  const { run } = step;
  const stage = stageOf(run, plan.name);
  const before = predecessor(run, waiting);
  const mayBegin = before === null || before.progress.kind === 'settled';
  const isHeld = stage.heldFor !== null && !stage.heldFor.isAllowed;
  if (!mayBegin || isHeld || !hasRoom(run, waiting) || run.ramp?.left === 0) return step;
  if (isSpent(run, stage)) return settleItem(step, waiting.name, { as: 'over-budget', why: 'The budget is spent.' });
  const limited = waiting.worker?.account ?? null;
  if (limited !== null && Object.hasOwn(run.limited, limited))
    return wait(step, waiting.name, {
      on: 'account',
      why: `Account ${limited} is limited.`,
      account: limited,
      retryAt: Math.max(run.limited[limited] ?? 0, step.ctx.now + step.ctx.policy.run.limitWaitMs),
    });
  const item = plan.kind === 'review' ? onSubject(run, waiting, plan.of) : chained(step, waiting);
  const ramp = run.ramp === null ? null : { ...run.ramp, left: run.ramp.left - 1 };
  const id = nextRequest(step);
  const attempt = item.attempt + 1;
  const runItem = { runId: run.terms.id, item: item.name, attempt, returns: item.returns };
  const text = textFor(run, item);
  const begun: Partial<Item> = {
    attempt,
    from: item.from,
    authors: item.authors,
    result: null,
    fingerprint: item.attempt === 0 ? fingerprintOf(run, item) : item.fingerprint,
    progress: { kind: 'placing', request: id },
  };
  const { worker } = item;
  const ordered =
    worker === null
      ? request(step, {
          kind: 'start',
          item: runItem,
          wish: wishFor(run, item, plan),
          from: item.from ?? run.terms.base.commit,
          also: plan.kind === 'join' ? commitsOf(run, plan.of).map(({ commit }) => commit) : [],
          text,
        })
      : request(step, { kind: 'send', item: runItem, workerId: worker.workerId, text });
  return setItem(change(ordered, { ramp }), item.name, begun);
}

/** Puts a reviewer on the commit under review. */
function onSubject(run: Run, item: Item, subject: string): Item {
  return { ...item, from: outputOf(run, subject).commit };
}

/** Tells whether one more worker may be at work. */
function hasRoom(run: Run, { worker }: Item): boolean {
  if (worker !== null) return true;
  const atWork = allItems(run).filter(({ progress, worker }) => {
    return progress.kind === 'placing' || (worker !== null && progress.kind !== 'settled');
  });
  return atWork.length < run.terms.flow.budget.workers;
}

function wishFor(run: Run, item: Item, plan: Extract<Stage, { role: string }>): PlaceWish {
  const isReview = plan.kind === 'review';
  const authors = isReview ? reviewedAuthors(run, plan.of) : [];
  const isOther = plan.profile === 'other' && !item.isProfileOpen;
  return {
    role: plan.role,
    profile: plan.profile === 'other' || item.isProfileOpen ? null : plan.profile,
    notProfiles: isOther ? [...new Set(authors.map(({ profile }) => profile))].filter((name) => name !== '') : [],
    notWorkers: authors.map(({ workerId }) => workerId),
    notYet: [...item.failedOn, ...(run.terms.notYet ?? [])],
  };
}

/** Returns everybody who wrote a part of what is under review. */
export function reviewedAuthors(run: Run, subject: string): Item['authors'] {
  return stageOf(run, subject).items.flatMap(({ authors }) => authors);
}

/** Orders the checks of an item's commit. */
export function requestCheck(step: RunStep, item: Item): RunStep {
  const { run } = step;
  const plan = planOf(run, stageName(item.name));
  const own = plan.kind === 'check' ? subjectCommit(run, plan.of) : ownCommit(item);
  if (own === null) return settleItem(step, item.name, { as: 'skipped', why: 'There is no commit to check.' });
  const commands = checksOf(plan, item) ?? [];
  const join =
    plan.kind === 'join' && item.attempt === 0
      ? { base: run.terms.base.commit, commits: commitsOf(run, plan.of) }
      : null;
  const id = nextRequest(step);
  const ordered = request(step, { kind: 'check', item: item.name, commit: own, commands, join });
  return setItem(ordered, item.name, { progress: { kind: 'checking', request: id } });
}

/** Returns the commands for an item's commit; empty: those of the project. Null: no check. */
export function checksOf(plan: Stage, { part }: Item): Checks {
  const own = 'check' in plan ? plan.check : null;
  // Commands of a plan, which an agent wrote, never take the place of the project's checks.
  if (own?.length === 0) return own;
  const more = part?.check ?? [];
  return own === null && more.length === 0 ? null : [...(own ?? []), ...more];
}

function requestJoin(step: RunStep, item: Item, of: string): RunStep {
  const commits = commitsOf(step.run, of);
  if (commits.length === 0) return settleItem(step, item.name, { as: 'skipped', why: `${of} gave no commit to join.` });
  const id = nextRequest(step);
  const ordered = request(step, { kind: 'join', item: item.name, base: step.run.terms.base.commit, commits });
  const authors = stageOf(step.run, of)
    .items.filter(isUsable)
    .flatMap((one) => one.authors);
  return setItem(ordered, item.name, { authors, progress: { kind: 'joining', request: id } });
}

/** Returns the commits of a stage that a join needs: of a chain the last, which holds those before it. */
export function commitsOf(run: Run, name: string): readonly PinnedCommit[] {
  const { items } = stageOf(run, name);
  const usable = items.filter((item) => isUsable(item) && item.output.commit !== null);
  const held = new Set(usable.flatMap((item) => predecessor(run, item)?.name ?? []));
  return usable.flatMap((item) => (held.has(item.name) ? [] : (ownCommit(item) ?? [])));
}

function ownCommit({ name, output: { commit }, authors }: Item): PinnedCommit | null {
  return commit === null ? null : { item: name, commit, workerId: authors.at(-1)?.workerId ?? null };
}

/** Returns the commit that a stage gives; null: none. */
export function subjectCommit(run: Run, subject: string): PinnedCommit | null {
  const [item] = stageOf(run, subject).items.filter(isUsable);
  return item === undefined ? null : ownCommit(item);
}

function askGate(step: RunStep, item: Item, { of, who }: Extract<Stage, { kind: 'gate' }>): RunStep {
  const { commit, parts, report, summary } = outputOf(step.run, of);
  const waiting = wait(noted(step, item), item.name, { on: 'person', why: `${of} waits for a yes.` });
  const options = ['start', ...(commit === null ? (['edit'] as const) : []), 'revise', 'stop'] as const;
  const text = parts.length > 0 ? `${summary}\n\n${tellPlan(step.run, { of, parts, now: step.ctx.now })}` : summary;
  return ask(
    waiting,
    { about: 'gate', item: item.name, text, commit, parts: parts.length > 0 ? parts : null, report, who },
    options,
  );
}

/** Asks for the merge; the answer is bound to the commit (W10). */
export function askAccept(step: RunStep, item: Item, problem = ''): RunStep {
  const plan = planOf(step.run, item.name);
  const own = plan.kind === 'accept' ? subjectCommit(step.run, plan.of) : null;
  if (own === null) return settleItem(step, item.name, { as: 'skipped', why: 'There is no commit to merge.' });
  const waiting = wait(step, item.name, { on: 'person', why: 'The merge waits for a yes.' });
  const text = [...(problem === '' ? [] : [`It was not merged: ${problem}`]), tellWork(step.run, own.commit)].join(
    '\n',
  );
  return ask(waiting, { about: 'accept', item: item.name, text, commit: own.commit }, ['accept', 'stop']);
}

/** Returns the items of a stage that can go on, in order. */
export function driveAll(step: RunStep, { items }: StageState): RunStep {
  return items.reduce((so, { name }) => drive(so, name), step);
}

/** Requests the merge of the commit to which the person said yes (W10). */
export function requestAccept(
  step: RunStep,
  { item, commit }: Pick<RunQuestion, 'item' | 'commit'>,
  { by, lost }: { readonly by: string; readonly lost: number },
): RunStep {
  const plan = planOf(step.run, stageName(item));
  const own = plan.kind === 'accept' ? subjectCommit(step.run, plan.of) : null;
  if (own === null || own.commit !== commit) return wait(step, item, { on: 'turn', why: 'The commit has changed.' });
  const id = nextRequest(step);
  const ordered = request(step, { kind: 'accept', item, commit: own, by });
  return setItem(ordered, item, { progress: { kind: 'accepting', request: id, by, lost } });
}
