/** Judges rounds of a review: the author's answers, findings that count, and the best round once there are no more (W9). */
import { canonical } from '../../canonical.ts';
import { invariant } from '../../invariant.ts';
import { itemOf, outputOf, planOf, stageName, stageOf, standingOn } from '../find.ts';
import { subjectOf } from '../flow.ts';
import type { ReviewStage } from '../flow.ts';
import type { Finding, TaskResult } from '../result.ts';
import type { Item, Round, StageState } from '../run.ts';
import { record, rule, setItem, setStage, settleItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { findingLine, findingsText } from '../texts.ts';
import { ask } from './ask.ts';

/** Judges the valid result of a reviewer: the commit is approved, or goes back to its author. */
export function judgeReview(step: RunStep, name: string, result: TaskResult): RunStep {
  const plan = reviewOf(step, name);
  const { rounds } = stageOf(step.run, name);
  const { commit, tree } = outputOf(step.run, plan.of);
  const findings = result.verdict === 'approve' ? [] : result.findings.filter((one) => counts(one, rounds));
  if (findings.length === 0)
    return settleItem(rule(step, 'review:approved'), name, { as: 'passed', why: result.summary });
  const reviewer = itemOf(step.run, name).worker;
  const round: Round = { commit: commit ?? '', tree, reviewer, findings, answers: [] };
  const added = setStage(rule(step, 'review:revise'), name, { rounds: [...rounds, round] });
  const last = rounds.at(-1);
  if (last !== undefined && canonical(last.findings) === canonical(findings))
    return endReview(added, name, 'The reviewer found the same again.');
  if (rounds.length + 1 >= plan.rounds)
    return endReview(added, name, `All ${plan.rounds} rounds of the review are spent.`);
  return sendBack(added, plan.of, findingsText(findings));
}

/** Tells whether a finding asks for a change: from the second round on, a new one must be a blocker. */
function counts({ id, severity }: Finding, rounds: readonly Round[]): boolean {
  if (severity === 'note') return false;
  const isNew = !rounds.some(({ findings }) => findings.some((one) => one.id === id));
  return rounds.length === 0 || severity === 'blocker' || !isNew;
}

/**
 * Prepares the next round once the author has answered. Null: the reviewer begins. A declined blocker asks a person; the same commit without a
 * reason ends the review.
 */
export function beforeRound(step: RunStep, name: string): RunStep | null {
  const plan = reviewOf(step, name);
  const last = stageOf(step.run, name).rounds.at(-1);
  if (last === undefined) return null;
  const declined = declinedBlockers(last);
  if (declined.length > 0) return askAboutDeclined(step, name, { last, declined });
  if (stageOf(step.run, plan.of).settled?.as === 'partial')
    return endReview(step, name, 'The author could not finish the findings.');
  const isSame = outputOf(step.run, plan.of).commit === last.commit;
  const hasReason = last.answers.some(({ did }) => did === 'declined');
  return isSame && !hasReason && last.findings.length > 0
    ? endReview(step, name, 'The author gave back the same commit.')
    : null;
}

function declinedBlockers({ findings, answers }: Round): readonly Finding[] {
  return findings.filter(
    ({ id, severity }) =>
      severity === 'blocker' && answers.some(({ finding, did }) => finding === id && did === 'declined'),
  );
}

function askAboutDeclined(
  step: RunStep,
  name: string,
  { last, declined }: { readonly last: Round; readonly declined: readonly Finding[] },
): RunStep {
  const texts = declined.map((finding) => {
    const why = last.answers.find((one) => one.finding === finding.id)?.why ?? '';
    return `The reviewer: ${findingLine(finding)}\nThe author declines: ${why}`;
  });
  const waiting = wait(step, name, { on: 'person', why: 'The author declines a blocker.' });
  const { commit } = outputOf(step.run, reviewOf(step, name).of);
  return ask(waiting, { about: 'declined', item: name, text: texts.join('\n\n'), commit }, [
    'author',
    'reviewer',
    'stop',
  ]);
}

/** Takes a person's side in a quarrel about blockers. */
export function settleQuarrel(step: RunStep, name: string, side: 'author' | 'reviewer'): RunStep {
  const plan = reviewOf(step, name);
  const { rounds } = stageOf(step.run, name);
  const last = rounds.at(-1);
  if (last === undefined) return step;
  const declined = declinedBlockers(last);
  if (side === 'reviewer') {
    const answered = setStage(step, name, { rounds: [...rounds.slice(0, -1), { ...last, answers: [] }] });
    return sendBack(answered, plan.of, `A person sides with the reviewer.\n${findingsText(declined)}`);
  }
  const findings = last.findings.filter((finding) => !declined.includes(finding));
  const dropped = setStage(step, name, { rounds: [...rounds.slice(0, -1), { ...last, findings }] });
  return findings.length === 0
    ? settleItem(rule(dropped, 'review:by-person'), name, { as: 'passed', why: 'A person sides with the author.' })
    : wait(dropped, name, { on: 'turn', why: 'A person sides with the author.' });
}

/** Ends a review without an approval: the best round is used, and the stage is partial. */
export function endReview(step: RunStep, name: string, why: string): RunStep {
  const plan = reviewOf(step, name);
  const told = record(rule(step, 'review:spent'), { kind: 'error', code: 'MAX_ITERATIONS', item: name, problem: why });
  return settleItem(useBest(told, plan.of, stageOf(step.run, name)), name, { as: 'partial', why });
}

/** Puts the commit of the best round in place of the present one. */
function useBest(step: RunStep, subject: string, { rounds }: StageState): RunStep {
  const [best] = rounds.toReversed().toSorted((one, other) => gravity(one) - gravity(other));
  if (best === undefined) return step;
  const item = itemOf(step.run, subject);
  return setItem(step, subject, { output: { ...item.output, commit: best.commit, tree: best.tree } });
}

function gravity({ findings }: Round): number {
  const weights = { blocker: 10_000, major: 100, minor: 1, note: 0 } as const;
  return findings.reduce((all, { severity }) => all + weights[severity], 0);
}

/** Goes on with the best reviewed commit of an author who failed at its findings. Null: nothing of it was reviewed. */
export function bestRound(step: RunStep, name: string): RunStep | null {
  const review = reviewsOf(step, name).find(({ rounds }) => rounds.length > 0);
  if (review === undefined) return null;
  const why = 'The author failed at the findings. The best reviewed commit is used.';
  const kept = settleItem(useBest(step, name, review), name, { as: 'partial', why });
  return setStage(kept, review.name, { rounds: review.rounds.map((round) => ({ ...round, answers: [] })) });
}

/** Keeps the answers of an author for the next round. */
export function noteAnswers(step: RunStep, name: string, { answers }: TaskResult): RunStep {
  return reviewsOf(step, name).reduce((so, { name: review, rounds }) => {
    const last = rounds.at(-1);
    return last === undefined || last.answers.length > 0
      ? so
      : setStage(so, review, { rounds: [...rounds.slice(0, -1), { ...last, answers }] });
  }, step);
}

/** Returns the open findings that an author shall answer, by id. */
export function openFindings(step: RunStep, name: string): readonly string[] {
  return reviewsOf(step, name).flatMap(({ rounds }) => rounds.at(-1)?.findings.map(({ id }) => id) ?? []);
}

/** Returns the reviews of a stage that have not settled. */
function reviewsOf({ run }: RunStep, subject: string): readonly StageState[] {
  return run.terms.flow.stages
    .filter((stage) => stage.kind === 'review' && stage.of === subject)
    .map(({ name }) => stageOf(run, name))
    .filter(({ settled }) => settled === null);
}

/** Sends the work of a stage back to its author: the stage, and all between that stand on it, are open again. */
export function sendBack(step: RunStep, subject: string, words: string): RunStep {
  const from = itemOf(step.run, subject);
  const reopened = setStage(rule(step, 'sent-back'), subject, { settled: null });
  const again: Partial<Item> = {
    words,
    result: null,
    triesSpent: 0,
    from: from.output.commit ?? from.from,
    progress: { kind: 'waiting', on: 'turn', why: 'Its work was sent back.', retryAt: null, account: null },
  };
  const stages = standingOn(step.run, subject, '');
  return stages.reduce(
    (so, name) => (stageOf(so.run, name).isBegun ? reopen(so, name) : so),
    setItem(reopened, subject, again),
  );
}

/** Opens a stage again, with what it remembers of former rounds. */
function reopen(step: RunStep, name: string): RunStep {
  return setStage(step, name, { settled: null, isBegun: false, items: stageOf(step.run, name).items.map(asReopened) });
}

function asReopened(item: Item): Item {
  const why = 'The work that it stands on was sent back.';
  return {
    ...item,
    result: null,
    progress: { kind: 'waiting', on: 'turn', why, retryAt: null, account: null },
  };
}

function reviewOf({ run }: RunStep, name: string): ReviewStage {
  const plan = planOf(run, stageName(name));
  invariant(plan.kind === 'review', `${name} is no review`);
  return plan;
}

/** Tells whether an author keeps its worker, because a review may send the work back. */
export function isAwaited({ run, ctx }: RunStep, stage: string): boolean {
  // A review that finds no worker may wait for one that another run keeps for the same reason: two runs must not block each other.
  const isStarved = ({ progress, placeTries }: Item): boolean =>
    progress.kind === 'waiting' && progress.on === 'worker' && placeTries >= ctx.policy.run.routing.triesMax;
  return run.terms.flow.stages.some((plan) => {
    if (plan.kind !== 'review' || subjectOf(plan) !== stage) return false;
    const { settled, items } = stageOf(run, plan.name);
    return settled === null && !items.some(isStarved);
  });
}
