/**
 * The merge train (docs/git.md): accepted work of a project, each piece built on the one before, checked once and published together. The
 * worker that has the project's lease conducts it: its own work comes first, the members' work follows in order. The conductor's decisions
 * notify the members in the same transaction, so that conductor and members always say the same.
 *
 * A prefix of the chain is named by its length: 0 is the default branch alone, 1 also has the conductor's work. The chain keeps its runs of the
 * checks by the files that they ran on, so that nothing runs twice because the default branch moved.
 */
import { invariant } from '../invariant.ts';
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Pin, Success } from '../machine/commands.ts';
import { showSign } from '../recovery/incident.ts';
import type { TrainEvent } from '../worker/event.ts';
import { checksAt, isAway, whereRan } from '../placement/check-place.ts';
import { dismissMembers, leftEvent, moveTo, releaseLease, waitAgain } from './commands.ts';
import { keepChecks } from './review.ts';
import { checksFailed } from '../events/rework.ts';
import { hasPassed, nameChecks, sendBack } from './state.ts';
import { countRun, runOn } from './step.ts';
import type { Aboard, Building, Built, Chained, Checking, Conductor, Extending, Linked, Publishing } from './step.ts';
import type { Ran, Run, Waiting } from './step.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;
type Told<K extends TrainEvent['kind']> = Extract<TrainEvent, { kind: K }>;

/** Builds the members, if there are any, on the conductor's own candidate. */
export function beginChain(step: Step, { accept, moved, on, train }: Building, own: Built): Step {
  if (train !== null) return moveTo(step, { kind: 'extending', accept, moved, on, own, train });
  return moveOn(step, { accept, moved, on, own, train });
}

/** Handles the built members; those that cannot come along keep their place. */
export function chainBuilt(step: Step, at: Extending, { onto, links, left }: Ended<'extended'>): Step | null {
  const { accept, own, train } = at;
  if (onto !== own.commit) return null;
  const reasons = new Map(left.map(({ worker, why, detail }) => [worker, LEFT_WORDS[why](detail)]));
  const told: { worker: string; event: TrainEvent }[] = [];
  const members: Linked[] = [];
  // G2: each commit is made of the one that a person has seen, and stands on the one before.
  let base = onto;
  for (const member of train.members) {
    const reason = reasons.get(member.name);
    const link = links[members.length];
    if (reason !== undefined) {
      told.push({ worker: member.id, event: leftEvent(accept, `it cannot join the train now: ${reason}`) });
      continue;
    }
    if (link?.worker !== member.name || link.head !== member.pin.head || link.base !== base) return null;
    members.push({ ...member, link });
    base = link.commit;
  }
  if (members.length !== links.length) return null;
  const known = told.length > 0 ? record(step, { kind: 'train', told }) : step;
  const linked = members.length === 0 ? null : { conductor: train.conductor, members };
  return moveOn(known, { ...at, train: linked });
}

const LEFT_WORDS: Readonly<Record<Ended<'extended'>['left'][number]['why'], (detail: string) => string>> = {
  clash: (detail) => `it conflicts with what is merged before it (${detail})`,
  contained: () => 'the work that is merged before it leaves nothing of it to merge',
  changed: (detail) => detail,
  isolated: () => 'the checks of isolated workers run apart from one another',
  away: (detail) => `its machine does not send its commits: ${detail}`,
};

/** G3, G12: chooses the next step from the known runs of the chain. */
function moveOn(step: Step, { accept, moved, on, own, train }: Chained): Step {
  const chained: Chained = { accept, moved, on, own, train };
  const chain = chainOf(step, chained);
  const move = chooseMove(chain);
  switch (move.kind) {
    case 'run': {
      const named = move.prefix === chain.files.length - 1 ? step : rule(step, 'train:run');
      return check(named, chained, move.prefix);
    }
    case 'publish': {
      const { prefix, culprit: last } = move;
      const culprit = last === null ? null : { prefix: last, ...failedRun(chain, filesOf(tipAt(chained, last))) };
      return moveTo(step, { kind: 'publishing', ...chained, prefix, tip: tipAt(chained, prefix), culprit });
    }
    case 'blame':
      return blameConductor(step, chained, chain);
    case 'red':
      return baseIsRed(step, chained, chain);
    default:
      return move satisfies never;
  }
}

function check(step: Step, chained: Chained, prefix: number): Step {
  return moveTo(step, { kind: 'checking', ...chained, prefix, tip: tipAt(chained, prefix) });
}

/** Returns the commit and the tree of a prefix; the tree of the default branch is not known. */
function tipAt({ own, train }: Pick<Chained, 'own' | 'train'>, prefix: number): Pin {
  if (prefix === 0) return { head: own.base, tree: null };
  if (prefix === 1) return { head: own.commit, tree: own.tree };
  const member = train?.members[prefix - 2];
  invariant(member !== undefined, `The train has no prefix ${prefix}`);
  return { head: member.link.commit, tree: member.link.tree };
}

/** Returns the name under which the runs on a prefix are counted. */
function filesOf({ head, tree }: Pin): string {
  return tree === null ? head : tree;
}

/** Returns the files of each prefix of the chain, and the known runs on them. */
function chainOf({ worker: { merge } }: Step, { accept: { runs }, own, train, on }: Chained): Chain {
  const checks = checksAt(own.checks, on);
  const links = train === null ? [] : train.members.map(({ link }) => link.tree);
  const files = [own.base, own.tree, ...links];
  // Before the review the checks ran on the worker's own machine.
  const hasRun = !isAway(on) && hasPassed(merge, own);
  const isKnown = runOn({ runs, checks }, own.tree) !== undefined || !hasRun;
  return { files, checks, runs: isKnown ? runs : countRun({ runs, checks }, own.tree, { kind: 'passed' }) };
}

/** Returns the run that failed on these files. */
function failedRun(chain: Chain, files: string): Pick<Run, 'command' | 'output'> {
  const run = runOn(chain, files);
  invariant(run !== undefined, `No run of the checks on ${files} is known`);
  return { command: run.command, output: run.output };
}

/** Handles checks that passed on the prefix that they ran on. @returns null if the machine names another prefix. */
export function prefixPassed(step: Step, at: Checking, result: Ended<'valid'>): Step | null {
  const { prefix, tip } = at;
  if (result.head !== tip.head || (tip.tree !== null && result.tree !== tip.tree)) return null;
  const on = whereRan(at.on, result.on);
  const isOwn = !isAway(on);
  // Checks as they are now.
  const own = isOwn ? { ...at.own, checks: result.checks } : at.own;
  const known = isOwn ? set(step, { merge: nameChecks(step.worker.merge, result.checks) }) : step;
  const chain = chainOf(known, { ...at, on, own });
  const files = filesOf(tip);
  const before = runOn(chain, files);
  const runs = countRun(chain, files, { kind: 'passed' });
  const shown = prefix === 1 ? showSign(known, 'valid') : known;
  const kept = prefix === 1 && isOwn ? keepChecks(shown, result) : shown;
  const chained = { ...at, accept: { ...at.accept, runs }, on, own };
  if (before === undefined || before.failed === 0) return moveOn(kept, chained);
  const text = `the check "${before.command}" failed ${before.failed} time(s) and then passed on the same files: no work is to blame`;
  return moveOn(record(rule(kept, 'train:flake'), { kind: 'notice', text }), chained);
}

/** Handles checks that failed on the prefix that they ran on. */
export function prefixFailed(step: Step, at: Checking, result: Ended<'invalid'>): Step {
  const { prefix, tip } = at;
  const on = whereRan(at.on, result.on);
  const { command, output } = result;
  const failed = { kind: 'failed', command, output: output.slice(-OUTPUT_MAX) } as const;
  const runs = countRun(chainOf(step, { ...at, on }), filesOf(tip), failed);
  const kept = prefix === 1 ? keepChecks(step, result) : step;
  return moveOn(kept, { ...at, accept: { ...at.accept, runs }, on });
}

/** Characters of an output that a run remembers, from its end: the row is read with each decision. */
const OUTPUT_MAX = 2_000;

/** Notifies the members of the published prefix, then the one that broke the checks after it; the rest keeps its place. */
export function trainLanded(step: Step, at: Publishing): Step {
  const { accept, train, prefix: last, tip, culprit } = at;
  if (train === null) return step;
  const { conductor, members } = train;
  // The published prefix has passed, and is the default branch of the next train.
  const runs = countRun(chainOf(step, at), tip.head, { kind: 'passed' });
  const told = members.map(({ id, link }, index) => {
    const prefix = index + 2;
    if (prefix <= last) return { worker: id, event: { kind: 'train-landed', commit: link.commit } as const };
    if (prefix !== culprit?.prefix) {
      const why = 'it comes after work that breaks the checks, so it keeps its place';
      return { worker: id, event: leftEvent({ ...accept, runs }, why) };
    }
    const before = [conductor, ...members.slice(0, index)].map(({ name }) => name);
    const { command, output } = culprit;
    return { worker: id, event: { kind: 'train-culprit', command, output, before } as const };
  });
  return record(step, { kind: 'train', told });
}

/** G12: blames the conductor's own work, which breaks the checks of a default branch that passes them. */
function blameConductor(step: Step, chained: Chained, chain: Chain): Step {
  const known = check(rule(step, 'train:blame'), chained, 1);
  return checksFailed(releaseLease(known, 'accept:invalid'), failedRun(chain, chained.own.tree));
}

/** G12: handles a default branch that fails by itself. People are notified once; all wait until it moves. */
function baseIsRed(step: Step, chained: Chained, chain: Chain): Step {
  const { accept, own } = chained;
  const { command } = failedRun(chain, own.base);
  const text = `the default branch at ${own.base.slice(0, 12)} fails the check "${command}" without any of the work: repair it there, and accepted work continues by itself; if the check itself was wrong, correct it and accept again`;
  const known = check(rule(step, 'train:base-red'), { ...chained, accept: { ...accept, red: own.base } }, 0);
  const free = dismissMembers(known, text);
  const waiting = note(waitAgain(free, step.ctx.now + step.ctx.policy.checkEveryMs), text);
  return accept.red === own.base ? waiting : record(waiting, { kind: 'notice', text });
}

/** Handles word from the conductor of a train. */
export function trainTold(step: Step, event: TrainEvent): Step {
  const at = step.worker.merge.step;
  if (event.kind === 'train-boarded')
    return at.kind === 'waiting' ? goAboard(step, at, event.conductor) : rule(step, 'train:not-aboard');
  if (at.kind !== 'aboard') return rule(step, 'train:not-aboard');
  switch (event.kind) {
    case 'train-left':
      return leaveTrain(step, at, event);
    case 'train-landed':
      // G5: the conductor's machine said so; git is asked for the worker's own commit all the same.
      return moveTo(rule(step, 'train:landed'), { kind: 'proving', accept: at.accept, commit: event.commit });
    case 'train-culprit':
      return sendCulpritBack(step, event);
    default:
      return event satisfies never;
  }
}

/** Takes a worker aboard: its own step waits until it hears from the conductor. */
function goAboard(step: Step, { accept }: Waiting, conductor: Conductor): Step {
  const boarded = moveTo(rule(step, 'train:boarded'), { kind: 'aboard', accept, conductor });
  return note(boarded, `in the merge train of "${conductor.name}", place ${conductor.place} of ${conductor.of}`);
}

/** Leaves a member for the next train. */
function leaveTrain(step: Step, at: Aboard, { why, runs, red, maybe }: Told<'train-left'>): Step {
  const { now, policy } = step.ctx;
  // The other members hear of it too, before the next train departs.
  const notBefore = now + (red === null ? policy.trainGatherMs : policy.checkEveryMs);
  const accept = { ...at.accept, runs, red, maybe: maybe ?? at.accept.maybe };
  return note(moveTo(rule(step, 'train:left'), { kind: 'waiting', accept, notBefore }), why);
}

/** Sends the work back to its agent, which repairs the checks that the work breaks. */
function sendCulpritBack(step: Step, { command, before, output: said }: Told<'train-culprit'>): Step {
  const named = rule(step, 'train:culprit');
  const output = `The checks pass with the work of ${before.join(', ')} and fail, twice, with yours on top of it.\n\n${said}`;
  const merge = sendBack(named.worker.merge, { command, before, at: step.ctx.now });
  return checksFailed(set(named, { merge }), { command, output });
}

/** A chain in search of its next step. `files[k]` are those of prefix k. */
export interface Chain extends Ran {
  readonly files: readonly string[];
}

/** The next step of a chain. */
export type Move =
  /** Run the checks on this prefix. */
  | { readonly kind: 'run'; readonly prefix: number }
  /** Publish this prefix, at least 1. */
  | { readonly kind: 'publish'; readonly prefix: number; readonly culprit: number | null }
  /** Blame: the first work itself breaks the checks, so there is nothing to publish. */
  | { readonly kind: 'blame' }
  /** Red: the default branch alone fails the checks, and none of the work mends it: no member is to blame. */
  | { readonly kind: 'red' };

/** Runs that fail on the same files before anybody is blamed for it, or the default branch counts as broken. */
const FAILURES_TO_BLAME = 2;

/** Picks the next step from the runs that are known. Always ends: each run adds a known prefix, or a failure. */
export function chooseMove(chain: Chain): Move {
  const known = chain.files.map((files, prefix) => whatIsKnown(chain, { files, prefix }));
  const tip = known.at(-1);
  invariant(tip !== undefined, 'A chain has at least the default branch');
  if (tip.verdict === 'passed') return { kind: 'publish', prefix: tip.prefix, culprit: null };
  if (tip.verdict === 'unknown') return { kind: 'run', prefix: tip.prefix };
  const green = known.findLast(({ verdict }) => verdict === 'passed');
  return green === undefined ? seekGreen(known) : seekCulprit(known, { green, tip });
}

/** Knowledge of a prefix. */
interface Known {
  readonly prefix: number;
  readonly verdict: 'passed' | 'failed' | 'unknown';
  readonly failures: number;
}

function whatIsKnown(chain: Chain, { files, prefix }: { readonly files: string; readonly prefix: number }): Known {
  const run = runOn(chain, files);
  if (run === undefined) return { prefix, verdict: 'unknown', failures: 0 };
  return { prefix, verdict: run.passed > 0 ? 'passed' : 'failed', failures: run.failed };
}

/** Seeks a prefix that passes, because the tip fails: first the default branch alone, and if that is broken the work that may mend it. */
function seekGreen(known: readonly Known[]): Move {
  const [base] = known;
  if (base === undefined || base.failures < FAILURES_TO_BLAME) return { kind: 'run', prefix: 0 };
  const unknown = known.find(({ verdict }) => verdict === 'unknown');
  return unknown === undefined ? { kind: 'red' } : { kind: 'run', prefix: unknown.prefix };
}

/** G12: blames only the work right after a passing prefix, for more than one run that failed on the same files. */
function seekCulprit(known: readonly Known[], { green, tip }: { readonly green: Known; readonly tip: Known }): Move {
  const red = known.find(({ prefix, verdict }) => prefix > green.prefix && verdict === 'failed') ?? tip;
  if (red.prefix - green.prefix > 1) return { kind: 'run', prefix: Math.floor((green.prefix + red.prefix) / 2) };
  if (red.failures < FAILURES_TO_BLAME) return { kind: 'run', prefix: red.prefix };
  if (green.prefix === 0) return { kind: 'blame' };
  return { kind: 'publish', prefix: green.prefix, culprit: red.prefix };
}
