/**
 * The merge train (docs/git.md): how its conductor goes from what is built to what is published, and what its members hear of it. The
 * conductor's decisions tell the members in the same transaction, so that both always say the same.
 */
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { showSign } from '../recovery/incident.ts';
import type { TrainEvent } from '../worker/event.ts';
import { checksAt, chooseMove, countRun, isAway, runOn, stayHere } from './chain.ts';
import type { Chain, Run, Train } from './chain.ts';
import { dismissMembers, leftEvent, releaseLease, waitAgain } from './lease.ts';
import { keepChecks } from './review.ts';
import { checksFailed } from './rework.ts';
import { goTo, hasPassed, sendBack, setCandidate } from './state.ts';
import { prefixAt } from './step.ts';
import type { Accept } from './step.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** The conductor's own candidate is made: the members are built on it, if there are any. */
export function beginChain(step: Step, accept: Accept): Step {
  const { train } = accept;
  if (train != null && train.members.length > 0) return put(step, accept, { step: 'extend' });
  return moveOn(step, accept);
}

/** The members are built, but for those that cannot come along: these keep their place. */
export function chainBuilt(step: Step, accept: Accept, { onto, links, left }: Ended<'extended'>): Step | null {
  const { train } = accept;
  if (train == null || onto !== accept.commit) return null;
  const leaving = train.members.filter(({ name }) => left.some(({ worker }) => worker === name));
  const members = train.members.filter((member) => !leaving.includes(member));
  // G2: each is made of the commit that a person has seen, and stands on the one before.
  const isSound =
    members.length === links.length &&
    members.every(({ name, pin }, index) => {
      const link = links[index];
      const base = index === 0 ? onto : links[index - 1]?.commit;
      return link?.worker === name && link.head === pin.head && link.base === base;
    });
  if (!isSound) return null;
  const told = leaving.map(({ id, name }) => {
    const why = left.find(({ worker }) => worker === name);
    const words = why === undefined ? '' : LEFT_WORDS[why.why](why.detail);
    return { worker: id, event: leftEvent(accept, `it cannot come along now: ${words}`) };
  });
  const known = told.length > 0 ? record(step, { kind: 'train', told }) : step;
  return moveOn(known, { ...accept, train: { ...train, members, links } });
}

const LEFT_WORDS: Readonly<Record<Ended<'extended'>['left'][number]['why'], (detail: string) => string>> = {
  clash: (detail) => `it conflicts with what is merged before it (${detail})`,
  contained: () => 'nothing of it is left beside what is merged before it',
  changed: (detail) => detail,
  isolated: () => 'the checks of isolated workers run apart from one another',
  away: (detail) => `its commits do not come from its machine: ${detail}`,
};

/** G3, G12: what is known of the chain decides what comes next. */
function moveOn(step: Step, accept: Accept): Step {
  const chain = chainOf(step, accept);
  const train = accept.train ?? NOBODY;
  const tip = chain.files.length - 1;
  const move = chooseMove(chain);
  switch (move.kind) {
    case 'run': {
      const named = move.prefix === tip ? step : rule(step, 'train:run');
      return put(named, accept, { step: 'validate', train: { ...train, at: move.prefix, culprit: null } });
    }
    case 'publish':
      return put(step, accept, {
        step: 'publish',
        train: { ...train, at: move.prefix, culprit: move.culprit },
      });
    case 'blame':
      return blameConductor(step, accept, chain);
    case 'red':
      return baseIsRed(step, accept, chain);
    default:
      return move satisfies never;
  }
}

const NOBODY: Train = { conductor: { id: '', name: '' }, members: [], links: null, at: null, culprit: null };

/** What each prefix of the chain has, and what is known of it. */
function chainOf({ worker: { merge } }: Step, { base, tree, train, on, runs = [] }: Accept): Chain {
  const named = merge.candidate?.kind === 'candidate' ? merge.candidate.checks : '';
  const checks = checksAt(named, on);
  const files = [base ?? '', tree ?? '', ...(train?.links ?? []).map((link) => link.tree)];
  const own = tree ?? '';
  // Before its review they ran on its own machine.
  const hasRun = !isAway(on) && hasPassed(merge, { tree: own, checks: named });
  const isKnown = runOn({ runs, checks }, own) !== undefined || !hasRun;
  return { files, checks, runs: isKnown ? runs : countRun({ runs, checks }, own, { kind: 'passed' }) };
}

/** A machine of an older build runs them itself, whatever it is told: what ran there counts for that machine. */
function whereTheyRan(accept: Accept, { on }: Ended<'valid' | 'invalid'>): Accept {
  const place = accept.on;
  if (!isAway(place) || on === place.machine) return accept;
  return { ...accept, on: stayHere(place, `its machine ran them itself: Drover there may be older`) };
}

/** The checks passed on the prefix that they ran on. @returns null where the machine names something else. */
export function prefixPassed(step: Step, asked: Accept, result: Ended<'valid'>): Step | null {
  const accept = whereTheyRan(asked, result);
  const at = prefixAt(accept);
  if (result.head !== at.head || (at.tree !== null && result.tree !== at.tree)) return null;
  const { candidate } = step.worker.merge;
  // These are the checks as they are now.
  const merge = candidate?.kind === 'candidate' ? { ...candidate, checks: result.checks } : candidate;
  const isOwn = !isAway(accept.on);
  const known = merge === null || !isOwn ? step : set(step, { merge: setCandidate(step.worker.merge, merge) });
  const chain = chainOf(known, accept);
  const prefix = accept.train?.at ?? 1;
  const files = chain.files[prefix] ?? '';
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
  return moveOn(noted, { ...accept, runs });
}

/** The checks failed on the prefix that they ran on. */
export function prefixFailed(step: Step, asked: Accept, result: Ended<'invalid'>): Step {
  const accept = whereTheyRan(asked, result);
  const chain = chainOf(step, accept);
  const prefix = accept.train?.at ?? 1;
  const { command, output } = result;
  const runs = countRun(chain, chain.files[prefix] ?? '', {
    kind: 'failed',
    command,
    output: output.slice(-OUTPUT_MAX),
  });
  const kept = prefix === 1 ? keepChecks(step, result) : step;
  return moveOn(kept, { ...accept, runs });
}

/** Characters of an output that a run remembers, from its end: the row is read with each decision. */
const OUTPUT_MAX = 2_000;

/** The prefix is published: each of it is told so, then who broke the checks after it; the rest keeps its place. */
export function trainLanded(step: Step, accept: Accept, tip: string): Step {
  const { train } = accept;
  if (train == null || train.members.length === 0) return step;
  const chain = chainOf(step, accept);
  const at = train.at ?? 1;
  // What is published has passed, and is the default branch of the next train.
  const runs = countRun(chain, tip, { kind: 'passed' });
  const told = train.members.map(({ id }, index) => {
    const link = train.links?.[index];
    const prefix = index + 2;
    const event: TrainEvent =
      prefix <= at && link !== undefined
        ? { kind: 'train-landed', base: link.base, commit: link.commit }
        : prefix === train.culprit
          ? culpritEvent(train, index, runOn(chain, chain.files[prefix] ?? ''))
          : leftEvent({ ...accept, runs }, 'it comes after work that breaks the checks: it keeps its place');
    return { worker: id, event };
  });
  return record(step, { kind: 'train', told });
}

function culpritEvent({ conductor, members }: Train, index: number, run: Run | undefined): TrainEvent {
  const before = [conductor.name, ...members.slice(0, index).map(({ name }) => name)];
  return { kind: 'train-culprit', command: run?.command ?? '', output: run?.output ?? '', before };
}

function blameConductor(step: Step, accept: Accept, chain: Chain): Step {
  const { command = '', output = '' } = runOn(chain, chain.files[1] ?? '') ?? {};
  const known = put(rule(step, 'train:blame'), accept, {});
  return checksFailed(releaseLease(known, 'accept:invalid'), { command, output });
}

/** G12: the default branch fails by itself. People are told once; all wait until it moves. */
function baseIsRed(step: Step, accept: Accept, chain: Chain): Step {
  const { base, red } = accept;
  const run = runOn(chain, chain.files[0] ?? '');
  const text = `the default branch at ${(base ?? '').slice(0, 12)} fails the check "${run?.command ?? ''}" without any of the work: mend it there, and accepted work goes on by itself; where the check itself was at fault, put that right and accept again`;
  const known = put(rule(step, 'train:base-red'), accept, { red: base });
  const free = dismissMembers(known, text);
  const waiting = note(waitAgain(free, step.ctx.now + step.ctx.policy.checkEveryMs), text);
  return red === base ? waiting : record(waiting, { kind: 'notice', text });
}

/** It is aboard: what it was at waits until it hears from the conductor. */
export function trainBoarded(step: Step, { conductor }: Extract<TrainEvent, { kind: 'train-boarded' }>): Step {
  const { accept } = step.worker.merge;
  if (accept?.step !== 'waiting') return rule(step, 'train:not-aboard');
  const boarded = put(rule(step, 'train:boarded'), accept, { step: 'aboard', conductor, notBefore: null });
  return note(boarded, `in the train of "${conductor.name}", place ${conductor.place} of ${conductor.of}`);
}

/** It goes with the next one. */
export function trainLeft(step: Step, { why, runs, red, maybe }: Extract<TrainEvent, { kind: 'train-left' }>): Step {
  const accept = aboard(step);
  if (accept === null) return rule(step, 'train:not-aboard');
  const { now, policy } = step.ctx;
  // The others hear of it too, before the next train departs.
  const notBefore = now + (red === null ? policy.trainGatherMs : policy.checkEveryMs);
  const back = {
    step: 'waiting',
    conductor: null,
    runs,
    red,
    notBefore,
    maybe: maybe ?? accept.maybe ?? null,
  } as const;
  return note(put(rule(step, 'train:left'), accept, back), why);
}

/** It is merged, as its machine said to the conductor; git is asked for its own commit all the same (G5). */
export function trainArrived(step: Step, { base, commit }: Extract<TrainEvent, { kind: 'train-landed' }>): Step {
  const accept = aboard(step);
  if (accept === null) return rule(step, 'train:not-aboard');
  return put(rule(step, 'train:landed'), accept, { step: 'prove', base, commit });
}

/** Its agent repairs what its work breaks. */
export function trainBlamed(step: Step, event: Extract<TrainEvent, { kind: 'train-culprit' }>): Step {
  if (aboard(step) === null) return rule(step, 'train:not-aboard');
  const { command, before } = event;
  const named = rule(step, 'train:culprit');
  const output = `The checks pass with the work of ${before.join(', ')} and fail, twice, with yours on top of it.\n\n${event.output}`;
  const merge = sendBack(named.worker.merge, { command, before, at: step.ctx.now });
  return checksFailed(set(named, { merge }), { command, output });
}

function aboard({ worker: { merge } }: Step): Accept | null {
  return merge.accept?.step === 'aboard' ? merge.accept : null;
}

function put(step: Step, accept: Accept, change: Partial<Accept>): Step {
  return set(step, { merge: goTo(step.worker.merge, accept, change) });
}
