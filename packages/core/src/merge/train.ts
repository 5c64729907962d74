/**
 * The merge train (docs/git.md): its conductor goes from built to published work and notifies its members. The conductor's decisions do so in
 * the same transaction, so that conductor and members always say the same.
 */
import { invariant } from '../invariant.ts';
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Pin, Success } from '../machine/commands.ts';
import { showSign } from '../recovery/incident.ts';
import type { TrainEvent } from '../worker/event.ts';
import { checksAt, isAway, stayHere } from '../placement/check-place.ts';
import { chooseMove, countRun, runOn } from './chain.ts';
import type { CheckPlace } from '../placement/check-place.ts';
import type { Chain, Linked, Run } from './chain.ts';
import { dismissMembers, leftEvent, releaseLease, waitAgain } from './lease.ts';
import { keepChecks } from './review.ts';
import { checksFailed } from '../events/rework.ts';
import { goTo, hasPassed, nameChecks, sendBack } from './state.ts';
import type { Aboard, Building, Built, Chained, Checking, Extending, MergeStep, Publishing } from './step.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** Builds the members, if there are any, on the conductor's own candidate. */
export function beginChain(step: Step, { accept, moved, on, train }: Building, own: Built): Step {
  if (train !== null) return put(step, { kind: 'extending', accept, moved, on, own, train });
  return moveOn(step, { accept, moved, on, own, train });
}

/** Handles the built members; those that cannot come along keep their place. */
export function chainBuilt(step: Step, at: Extending, { onto, links, left }: Ended<'extended'>): Step | null {
  const { accept, moved, on, own, train } = at;
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
      told.push({ worker: member.id, event: leftEvent(accept, `it cannot come along now: ${reason}`) });
      continue;
    }
    if (link?.worker !== member.name || link.head !== member.pin.head || link.base !== base) return null;
    members.push({ ...member, link });
    base = link.commit;
  }
  if (members.length !== links.length) return null;
  const known = told.length > 0 ? record(step, { kind: 'train', told }) : step;
  const linked = members.length === 0 ? null : { conductor: train.conductor, members };
  return moveOn(known, { accept, moved, on, own, train: linked });
}

const LEFT_WORDS: Readonly<Record<Ended<'extended'>['left'][number]['why'], (detail: string) => string>> = {
  clash: (detail) => `it conflicts with what is merged before it (${detail})`,
  contained: () => 'nothing of it is left beside what is merged before it',
  changed: (detail) => detail,
  isolated: () => 'the checks of isolated workers run apart from one another',
  away: (detail) => `its commits do not come from its machine: ${detail}`,
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
      return put(step, { kind: 'publishing', ...chained, prefix, tip: tipAt(chained, prefix), culprit });
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
  return put(step, { kind: 'checking', ...chained, prefix, tip: tipAt(chained, prefix) });
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

/** Returns the place of the runs. If a machine ran the checks itself, despite its command, the runs count for that machine. */
function whereTheyRan(place: CheckPlace | null, { on }: Ended<'valid' | 'invalid'>): CheckPlace | null {
  if (!isAway(place) || on === place.machine) return place;
  return stayHere(place, `its machine ran them itself`);
}

/** Handles checks that passed on the prefix that they ran on. @returns null if the machine names another prefix. */
export function prefixPassed(step: Step, at: Checking, result: Ended<'valid'>): Step | null {
  const { accept, moved, train, prefix, tip } = at;
  if (result.head !== tip.head || (tip.tree !== null && result.tree !== tip.tree)) return null;
  const on = whereTheyRan(at.on, result);
  const isOwn = !isAway(on);
  // Checks as they are now.
  const own = isOwn ? { ...at.own, checks: result.checks } : at.own;
  const known = isOwn ? set(step, { merge: nameChecks(step.worker.merge, result.checks) }) : step;
  const chain = chainOf(known, { accept, moved, on, own, train });
  const files = filesOf(tip);
  const before = runOn(chain, files);
  const runs = countRun(chain, files, { kind: 'passed' });
  const shown = prefix === 1 ? showSign(known, 'valid') : known;
  const kept = prefix === 1 && isOwn ? keepChecks(shown, result) : shown;
  const noted =
    before === undefined || before.failed === 0
      ? kept
      : record(rule(kept, 'train:flake'), {
          kind: 'notice',
          text: `the check "${before.command}" failed ${before.failed} time(s) and then passed on the same files: no work is blamed for it`,
        });
  return moveOn(noted, { accept: { ...accept, runs }, moved, on, own, train });
}

/** Handles checks that failed on the prefix that they ran on. */
export function prefixFailed(step: Step, at: Checking, result: Ended<'invalid'>): Step {
  const { accept, moved, own, train, prefix, tip } = at;
  const on = whereTheyRan(at.on, result);
  const { command, output } = result;
  const failed = { kind: 'failed', command, output: output.slice(-OUTPUT_MAX) } as const;
  const runs = countRun(chainOf(step, { accept, moved, on, own, train }), filesOf(tip), failed);
  const kept = prefix === 1 ? keepChecks(step, result) : step;
  return moveOn(kept, { accept: { ...accept, runs }, moved, on, own, train });
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
      const why = 'it comes after work that breaks the checks: it keeps its place';
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
  const text = `the default branch at ${own.base.slice(0, 12)} fails the check "${command}" without any of the work: mend it there, and accepted work goes on by itself; where the check itself was at fault, put that right and accept again`;
  const known = check(rule(step, 'train:base-red'), { ...chained, accept: { ...accept, red: own.base } }, 0);
  const free = dismissMembers(known, text);
  const waiting = note(waitAgain(free, step.ctx.now + step.ctx.policy.checkEveryMs), text);
  return accept.red === own.base ? waiting : record(waiting, { kind: 'notice', text });
}

function put(step: Step, at: MergeStep): Step {
  return set(step, { merge: goTo(step.worker.merge, at) });
}

/** Takes a worker aboard: its own step waits until it hears from the conductor. */
export function trainBoarded(step: Step, { conductor }: Extract<TrainEvent, { kind: 'train-boarded' }>): Step {
  const at = step.worker.merge.step;
  if (at.kind !== 'waiting') return rule(step, 'train:not-aboard');
  const boarded = put(rule(step, 'train:boarded'), { kind: 'aboard', accept: at.accept, conductor });
  return note(boarded, `in the train of "${conductor.name}", place ${conductor.place} of ${conductor.of}`);
}

/** Leaves a member for the next train. */
export function trainLeft(step: Step, { why, runs, red, maybe }: Extract<TrainEvent, { kind: 'train-left' }>): Step {
  const at = aboard(step);
  if (at === null) return rule(step, 'train:not-aboard');
  const { now, policy } = step.ctx;
  // The other members hear of it too, before the next train departs.
  const notBefore = now + (red === null ? policy.trainGatherMs : policy.checkEveryMs);
  const accept = { ...at.accept, runs, red, maybe: maybe ?? at.accept.maybe };
  return note(put(rule(step, 'train:left'), { kind: 'waiting', accept, notBefore }), why);
}

/** Notes that a member is merged, as the conductor's machine said; git is asked for its own commit all the same (G5). */
export function trainArrived(step: Step, { commit }: Extract<TrainEvent, { kind: 'train-landed' }>): Step {
  const at = aboard(step);
  if (at === null) return rule(step, 'train:not-aboard');
  return put(rule(step, 'train:landed'), { kind: 'proving', accept: at.accept, commit });
}

/** Sends the work back to its agent, which repairs the checks that the work breaks. */
export function trainBlamed(step: Step, event: Extract<TrainEvent, { kind: 'train-culprit' }>): Step {
  if (aboard(step) === null) return rule(step, 'train:not-aboard');
  const { command, before } = event;
  const named = rule(step, 'train:culprit');
  const output = `The checks pass with the work of ${before.join(', ')} and fail, twice, with yours on top of it.\n\n${event.output}`;
  const merge = sendBack(named.worker.merge, { command, before, at: step.ctx.now });
  return checksFailed(set(named, { merge }), { command, output });
}

function aboard({ worker: { merge } }: Step): Aboard | null {
  return merge.step.kind === 'aboard' ? merge.step : null;
}
