/**
 * How accepted work is merged. One step after the other, each a command that is safe to repeat, each result recorded in the row, so
 * that any coordinator can go on after a crash.
 *
 * What is merged is what was reviewed (docs/adr/0078-what-was-reviewed.md): each command names the commit that it acts on, each result
 * those that it has left, and only a result for the former makes the latter the next to be acted on.
 */
import { become, happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { releaseLease } from './lease.ts';
import type { Success } from '../machine/commands.ts';
import { tellGitlinks } from '../machine/gitlinks.ts';
import { PUBLISH_TRIES_MAX } from '../policy/policy.ts';
import { offerText } from '../policy/texts.ts';
import { showSign } from '../recovery/incident.ts';
import { leaveSession } from '../recovery/session-lost.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { forgetCheckpoints } from '../worker/checkpoint.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { beginReview, describeWork, goTo, hasPassed, offerOf, setCandidate, setOffer, setRebaseDue } from './state.ts';
import { prefixAt } from './step.ts';
import type { Accept } from './step.ts';
import { isAway } from './chain.ts';
import { newTrain } from './chain.ts';
import { forgetCrashes, keepProgram, setConversation } from '../worker/session.ts';
import { inHand } from '../worker/task.ts';
import { moveHead, setGit, standOn } from '../worker/worktree.ts';
import { acceptRewritten } from './rework.ts';
import { beginChain, chainBuilt, prefixFailed, prefixPassed, trainLanded } from './train.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** What the result of a step leads to. A result that does not belong to the step ends the accept. */
export function mergeStepEnded(step: Step, accept: Accept, result: Success): Step {
  switch (result.kind) {
    case 'candidate':
      return candidateMade(step, accept, result);
    case 'clash':
      return clashed(step, accept, result);
    case 'contained':
      return contained(step, accept, result);
    case 'rewritten':
      return acceptRewritten(step, accept, result) ?? stopUnnamed(step, accept);
    case 'extended':
      return chainBuilt(step, accept, result) ?? stopUnnamed(step, accept);
    case 'valid':
      return prefixPassed(step, accept, result) ?? stopUnnamed(step, accept);
    case 'invalid':
      return prefixFailed(step, accept, result);
    case 'changed':
      return changed(step, accept, result);
    case 'published':
      return result.commit === prefixAt(accept).head
        ? published(step, accept, result.commit)
        : stopUnnamed(step, accept);
    case 'offered':
      return result.commit === accept.commit ? offered(step, accept, result) : stopUnnamed(step, accept);
    case 'moved':
      return targetMoved(step, accept);
    case 'blocked':
      return stopMerge(step, result.why);
    case 'rejected':
      return stopMerge(
        rule(step, 'accept:rejected'),
        `the place of the default branch refused it: ${result.words}; if people merge there by request, set publish = "branch" in [repo] of drover.toml`,
      );
    case 'proven':
      return result.commit === accept.commit ? nextStep(step, accept, { step: 'close' }) : stopUnnamed(step, accept);
    case 'unproven':
      return stopMerge(
        rule(step, 'accept:unproven'),
        `its machine said that it published ${short(accept.commit)}, and the default branch does not contain it`,
      );
    case 'closed':
      return nextStep(leaveSession(step), accept, { step: 'recycle' });
    case 'recycled':
      return recycled(step, accept, result.base);
    default:
      return stopMerge(step, `its machine answered "${result.kind}" to step "${accept.step}"`);
  }
}

/** G2: made of the commit that the person has seen, and of no other. */
function candidateMade(step: Step, accept: Accept, made: Ended<'candidate'>): Step {
  const { pin } = accept;
  if (made.head !== pin.head || (pin.tree !== null && made.headTree !== pin.tree)) return stopUnnamed(step, accept);
  const known = set(showSign(step, 'rebased'), { merge: setCandidate(step.worker.merge, made) });
  // "Merged" means that all of it is there.
  const { gitlinks = [] } = made;
  if (gitlinks.length > 0) return stopMerge(rule(known, 'accept:gitlinks'), tellGitlinks(gitlinks));
  // G3: only checks of these very files, as the project has them now, count.
  const place = accept.on ?? step.ctx.checkPlace ?? null;
  const isKnown = !isAway(place) && hasPassed(known.worker.merge, made);
  const named = isKnown ? rule(known, 'accept:checked-before') : known;
  const { base, commit, tree } = made;
  return beginChain(named, { ...accept, base, commit, tree, on: place });
}

/** The person asked for it: conflicts that its agent gave up before are given to it again. */
function clashed(step: Step, accept: Accept, made: Ended<'clash'>): Step {
  if (made.head !== accept.pin.head) return stopUnnamed(step, accept);
  const free = releaseLease(step, 'accept:conflict');
  const merge = setRebaseDue(setCandidate(free.worker.merge, made), true);
  return note(
    set(free, { merge }),
    `not merged: it conflicts with the default branch in ${made.files.length} file(s), which its agent resolves first`,
  );
}

/** G7: where nothing would be merged, only a person who says so ends the task. */
function contained(step: Step, accept: Accept, made: Ended<'contained'>): Step {
  if (made.head !== accept.pin.head) return stopUnnamed(step, accept);
  const known = set(step, { merge: setCandidate(step.worker.merge, made) });
  if (offerOf(known.worker.merge, made.head) !== null)
    return nextStep(rule(known, 'accept:offer-merged'), accept, { step: 'close', base: made.base, commit: made.base });
  // It was on its way when another worker got the lease: git says whether it came there.
  if (accept.maybe != null)
    return nextStep(rule(known, 'accept:perhaps-published'), accept, {
      step: 'prove',
      base: null,
      commit: accept.maybe,
      maybe: null,
    });
  if (accept.nothing)
    return nextStep(rule(known, 'accept:nothing'), accept, { step: 'close', base: made.base, commit: made.base });
  return stopMerge(
    rule(known, 'accept:contained'),
    'the default branch has all of it already, so nothing would be merged: "drover accept --nothing" ends its task all the same; "drover reject" sends it back',
  );
}

/** What is there is not what was reviewed. Nothing of it is merged, unless it came after the merge. */
function changed(step: Step, accept: Accept, { head, why }: Ended<'changed'>): Step {
  // Checks that ran beside its worktree say nothing of what is there.
  if (accept.step === 'validate' && head === prefixAt(accept).head) return stopMerge(rule(step, 'accept:changed'), why);
  const moved = set(rule(step, 'accept:changed'), { worktree: moveHead(step.worker.worktree, head) });
  // What is there now is checked, for the person who reviews it.
  const known = set(moved, { merge: beginReview(moved.worker.merge, head) });
  if (accept.step !== 'recycle') return describedByNote(stopMerge(known, why));
  const base = accept.commit ?? '';
  const standing = set(known, { worktree: standOn(known.worker.worktree, base) });
  return describedByNote(endMerge(standing, `merged as ${short(base)}, but ${why}`));
}

/** The note stays when what is there has been checked: in a moment, before the person has read why nothing was merged. */
function describedByNote(step: Step): Step {
  const { merge, lifecycle } = step.worker;
  return set(step, { merge: describeWork(merge, { why: lifecycle.note, notes: merge.notes }) });
}

/** Somebody else was quicker: the candidate is made again on what they left, and checked again. */
function targetMoved(step: Step, accept: Accept): Step {
  const moved = accept.moved + 1;
  const named = rule(step, 'accept:default-branch-moved');
  const { train } = accept;
  const again = train == null ? {} : { train: newTrain(train.conductor, train.members) };
  if (moved < PUBLISH_TRIES_MAX) return nextStep(named, accept, { step: 'candidate', moved, ...again });
  return stopMerge(named, `the default branch moved ${moved} times before it could be merged: accept it again`);
}

/** A machine of an older build, or one that errs: nothing says that this is what was reviewed. */
function stopUnnamed(step: Step, { pin, step: at }: Accept): Step {
  const named = `its machine did not say that "${at}" was done to ${short(pin.head)}`;
  return stopMerge(rule(step, 'accept:unnamed'), `${named}: see that Drover there is not older than its coordinator`);
}

function short(commit: string | null): string {
  return (commit ?? '').slice(0, 12);
}

/** The accept ends; the work still waits for review. What is in the default branch by then stays there, and only its worker is not free. */
export function stopMerge(step: Step, why: string): Step {
  const { accept } = step.worker.merge;
  const isMerged = (accept?.step === 'close' || accept?.step === 'recycle') && !accept.nothing;
  if (!isMerged) return endMerge(step, `not merged: ${why}`);
  const then = 'put that right, and "drover accept --nothing" ends its task';
  return endMerge(step, `merged as ${short(accept.commit)}, but ${why}: ${then}`);
}

/** A step of the merge failed for good. What was published, or was on its way, may be there all the same, which the next accept finds out. */
export function mergeFailed(step: Step, why: string): Step {
  const { merge } = step.worker;
  const { accept } = merge;
  if (accept?.step !== 'publish' && accept?.step !== 'prove') return stopMerge(step, why);
  const known = set(step, { merge: goTo(merge, accept, { maybe: accept.commit }) });
  return endMerge(known, `perhaps merged: ${why}; "drover accept" finds out, and merges it if it was not`);
}

function endMerge(step: Step, text: string): Step {
  return record(note(releaseLease(step, 'accept:stopped'), text), { kind: 'notice', text });
}

function published(step: Step, accept: Accept, commit: string): Step {
  const told = trainLanded(rule(step, 'accept:merged'), accept, commit);
  const next = nextStep(told, accept, { step: 'prove', train: null });
  return record(next, { kind: 'default-branch-moved', commit });
}
/** G5: it is on a branch, and its task goes on until the default branch has it. Meanwhile others are merged. */
function offered(step: Step, { pin }: Accept, { commit, branch, why }: Ended<'offered'>): Step {
  const free = releaseLease(step, 'accept:offered');
  const { now } = step.ctx;
  const merge = setOffer(free.worker.merge, { head: pin.head, commit, branch, why, at: now });
  const text = offerText({ branch, why });
  return record(note(set(free, { merge }), text), { kind: 'notice', text });
}

/** The worktree is fresh: the worker is free, with a fresh agent in it. */
function recycled(step: Step, { commit, base: mergedOn, pin }: Accept, base: string): Step {
  const task = inHand(step.worker.task);
  const { offer } = step.worker.merge;
  const how = commit === mergedOn && offer?.head !== pin.head ? 'there was nothing to merge' : 'its work was merged';
  const told = tellUnread(step, unreadTexts(step.worker), `${how}, perhaps before its agent had read`);
  const over = showSign(comeToRest(releaseLease(told, 'accept:done'), how), 'task-done');
  const ended = happen(over, 'task-ended');
  const { session, checkpoint, worktree } = ended.worker;
  const free = set(ended, {
    checkpoint: forgetCheckpoints(checkpoint),
    worktree: standOn(setGit(worktree, null), base),
    session: forgetCrashes(keepProgram(setConversation(session, null))),
  });
  return task === null ? free : record(free, { kind: 'task', id: task.id, status: 'accepted' });
}

function comeToRest(done: Step, how: string): Step {
  const { lifecycle } = done.worker;
  if (lifecycle.status === 'offline') return set(done, { lifecycle: comeBackTo(lifecycle, 'idle') });
  if (lifecycle.wanted !== 'down') return become(done, 'idle', how);
  const down = become(done, 'offline', `${how}, then taken down by order`);
  return set(down, { lifecycle: comeBackTo(down.worker.lifecycle, 'idle') });
}

function nextStep(step: Step, accept: Accept, change: Partial<Accept>): Step {
  return set(step, { merge: goTo(step.worker.merge, accept, change) });
}
