/**
 * Merges accepted work. The steps follow each other, each a command that is safe to repeat, each result recorded in the row, so that any
 * coordinator can go on after a crash.
 *
 * The merge takes exactly the reviewed commit (docs/adr/0016-merges-are-candidates.md): each command names the commit that it acts on, each
 * result the commits that it left. Only a result for the named commit makes its new commit the next to be acted on.
 */
import { become, happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { acceptRewritten } from '../events/rework.ts';
import type { Success } from '../machine/commands.ts';
import { tellGitlinks } from '../machine/gitlinks.ts';
import { isAway } from '../placement/check-place.ts';
import { offerText, sentBackText } from '../policy/texts.ts';
import { showSign } from '../recovery/incident.ts';
import { leaveSession } from '../recovery/session-lost.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { forgetCheckpoints } from '../worker/checkpoint.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { forgetCrashes, keepProgram, setConversation } from '../worker/session.ts';
import { inHand } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { moveHead, setGit, standOn } from '../worker/worktree.ts';
import { checkPlaceNow, endMerge, moveTo, releaseLease, short, stopMerge, stopUnnamed } from './commands.ts';
import { beginReview, hasPassed, offerOf, setFacts } from './state.ts';
import { acceptOf, isAccepting } from './step.ts';
import type { Building, Checking, Commanded, Done, Linked, Member, Proving, Publishing } from './step.ts';
import { beginChain, chainBuilt, prefixFailed, prefixPassed, trainLanded } from './train.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** Goes on from the result of a step. A result that does not belong to the step ends the accept. */
export function mergeStepEnded(step: Step, at: Commanded, result: Success): Step {
  return followed(step, at, result) ?? stopMerge(step, `its machine answered "${result.kind}" to step "${at.kind}"`);
}

/** @returns null for a result that belongs to another step. */
function followed(step: Step, at: Commanded, result: Success): Step | null {
  switch (at.kind) {
    case 'building':
      return buildingEnded(step, at, result);
    case 'extending':
      return result.kind === 'extended' ? (chainBuilt(step, at, result) ?? stopUnnamed(step, at)) : null;
    case 'checking':
      return checkingEnded(step, at, result);
    case 'publishing':
      return publishingEnded(step, at, result);
    case 'proving':
      return provingEnded(step, at, result);
    case 'closing':
      if (result.kind !== 'closed') return null;
      return moveTo(leaveSession(step), { kind: 'recycling', accept: at.accept, done: at.done });
    case 'recycling':
      if (result.kind === 'changed') return endChanged(step, at.done, result);
      return result.kind === 'recycled' ? recycled(step, at.done, result.base) : null;
    default:
      return at satisfies never;
  }
}

function buildingEnded(step: Step, at: Building, result: Success): Step | null {
  switch (result.kind) {
    case 'candidate':
      return candidateMade(step, at, result);
    case 'clash':
      return clashed(step, at, result);
    case 'contained':
      return contained(step, at, result);
    case 'rewritten':
      return acceptRewritten(step, at.accept, result) ?? stopUnnamed(step, at);
    case 'changed':
      return stopChanged(step, result);
    default:
      return null;
  }
}

function checkingEnded(step: Step, at: Checking, result: Success): Step | null {
  switch (result.kind) {
    case 'valid':
      return prefixPassed(step, at, result) ?? stopUnnamed(step, at);
    case 'invalid':
      return prefixFailed(step, at, result);
    case 'changed':
      // Checks that ran beside the agent's worktree say nothing of the files there.
      return result.head === at.tip.head
        ? stopMerge(rule(step, 'accept:changed'), result.why)
        : stopChanged(step, result);
    default:
      return null;
  }
}

function publishingEnded(step: Step, at: Publishing, result: Success): Step | null {
  switch (result.kind) {
    case 'published':
      return result.commit === at.tip.head ? published(step, at) : stopUnnamed(step, at);
    case 'offered':
      return result.commit === at.own.commit ? offered(step, at, result) : stopUnnamed(step, at);
    case 'moved':
      return targetMoved(step, at);
    case 'blocked':
      return stopMerge(step, result.why);
    case 'rejected':
      return stopMerge(
        rule(step, 'accept:rejected'),
        `the remote rejected the push: ${result.words}; if people merge there by pull request, set publish = "branch" in [repo] of drover.toml`,
      );
    default:
      return null;
  }
}

function provingEnded(step: Step, at: Proving, result: Success): Step | null {
  const { accept, commit } = at;
  switch (result.kind) {
    case 'proven':
      return result.commit === commit
        ? moveTo(step, { kind: 'closing', accept, done: { how: 'published', commit } })
        : stopUnnamed(step, at);
    case 'unproven':
      return stopMerge(
        rule(step, 'accept:unproven'),
        `its machine reported ${short(commit)} as published, but the default branch does not contain it`,
      );
    default:
      return null;
  }
}

/** G2: takes a candidate made of the commit that the person has seen, and of no other. */
function candidateMade(step: Step, at: Building, made: Ended<'candidate'>): Step {
  const { pin } = at.accept;
  if (made.head !== pin.head || (pin.tree !== null && made.headTree !== pin.tree)) return stopUnnamed(step, at);
  const known = set(showSign(step, 'rebased'), { merge: setFacts(step.worker.merge, { candidate: made }) });
  // The word "merged" means that all of the work is there.
  const { gitlinks = [] } = made;
  if (gitlinks.length > 0) return stopMerge(rule(known, 'accept:gitlinks'), tellGitlinks(gitlinks));
  // G3: only checks of these very files, as the project has them now, count.
  const on = at.on ?? checkPlaceNow(step);
  const isKnown = !isAway(on) && hasPassed(known.worker.merge, made);
  const named = isKnown ? rule(known, 'accept:checked-before') : known;
  const { base, commit, tree, checks } = made;
  return beginChain(named, { ...at, on }, { base, commit, tree, checks });
}

/** Gives the conflicts to the agent, even if it gave them up before, because the person asked for the merge. */
function clashed(step: Step, at: Building, made: Ended<'clash'>): Step {
  if (made.head !== at.accept.pin.head) return stopUnnamed(step, at);
  const free = releaseLease(step, 'accept:conflict');
  const merge = setFacts(free.worker.merge, { candidate: made, rebaseDue: true });
  return note(
    set(free, { merge }),
    `not merged: it conflicts with the default branch in ${made.files.length} file(s), which its agent resolves first`,
  );
}

/** G7: ends the task if there is nothing to merge, only if a person says so. */
function contained(step: Step, at: Building, made: Ended<'contained'>): Step {
  const { accept } = at;
  if (made.head !== accept.pin.head) return stopUnnamed(step, at);
  const known = set(step, { merge: setFacts(step.worker.merge, { candidate: made }) });
  if (offerOf(known.worker.merge, made.head) !== null) {
    const done: Done = { how: 'by-people', commit: made.base };
    return moveTo(rule(known, 'accept:offer-merged'), { kind: 'closing', accept, done });
  }
  // The commit was on its way when another worker got the lease: git says whether it arrived.
  if (accept.maybe !== null) {
    const proving = { kind: 'proving', accept: { ...accept, maybe: null }, commit: accept.maybe } as const;
    return moveTo(rule(known, 'accept:perhaps-published'), proving);
  }
  if (accept.nothing) {
    const done: Done = { how: 'nothing', commit: made.base };
    return moveTo(rule(known, 'accept:nothing'), { kind: 'closing', accept, done });
  }
  return stopMerge(
    rule(known, 'accept:contained'),
    'the default branch already contains all of it, so there is nothing to merge: "drover accept --nothing" ends its task without a merge; "drover reject" sends it back',
  );
}

/** Makes and checks the candidate again, on the default branch that somebody else has moved. */
function targetMoved(step: Step, { accept, on, train, moved: before }: Publishing): Step {
  const moved = before + 1;
  const named = rule(step, 'accept:default-branch-moved');
  const again = train === null ? null : { ...train, members: train.members.map(unlinked) };
  if (moved < step.ctx.policy.publishTriesMax)
    return moveTo(named, { kind: 'building', accept, moved, on, train: again });
  return stopMerge(named, `the default branch moved ${moved} times before it could be merged: accept it again`);
}

function unlinked(linked: Linked): Member {
  const { link: _, ...member } = linked;
  return member;
}

function published(step: Step, at: Publishing): Step {
  const told = trainLanded(rule(step, 'accept:merged'), at);
  const next = moveTo(told, { kind: 'proving', accept: at.accept, commit: at.own.commit });
  return record(next, { kind: 'default-branch-moved', commit: at.tip.head });
}

/** G5: offers the commit as a branch; its task goes on until the default branch has it. Meanwhile others are merged. */
function offered(step: Step, { accept }: Publishing, { commit, branch, why }: Ended<'offered'>): Step {
  const free = releaseLease(step, 'accept:offered');
  const { now } = step.ctx;
  const merge = setFacts(free.worker.merge, { offer: { head: accept.pin.head, commit, branch, why, at: now } });
  const text = offerText({ branch, why });
  return record(note(set(free, { merge }), text), { kind: 'notice', text });
}

/** Frees the worker, with a fresh worktree and a fresh agent in it. */
function recycled(step: Step, done: Done, base: string): Step {
  const task = inHand(step.worker.task);
  const how = done.how === 'nothing' ? 'there was nothing to merge' : 'its work was merged';
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
  const down = become(done, 'offline', `${how}, then its session was closed by request`);
  return set(down, { lifecycle: comeBackTo(down.worker.lifecycle, 'idle') });
}

/** Stops the merge of work that changed after its review, and has it checked for the next one. */
function stopChanged(step: Step, { head, why }: Ended<'changed'>): Step {
  return describedByNote(reviewAgain(stopMerge(rule(step, 'accept:changed'), why), head));
}

/** Ends a merge after which new work appeared. */
function endChanged(step: Step, { commit, how }: Done, { head, why }: Ended<'changed'>): Step {
  const merged = how === 'nothing' ? 'nothing was left to merge' : `merged as ${short(commit)}`;
  const over = endMerge(rule(step, 'accept:changed'), `${merged}, but ${why}`);
  const standing = reviewAgain(over, head);
  return describedByNote(set(standing, { worktree: standOn(standing.worker.worktree, commit) }));
}

function reviewAgain(step: Step, head: string): Step {
  const { worktree, merge } = step.worker;
  return set(step, { worktree: moveHead(worktree, head), merge: beginReview(merge, head) });
}

/** Keeps the note until the present commit has been checked: otherwise it would change before the person has read why nothing was merged. */
function describedByNote(step: Step): Step {
  const { merge, lifecycle } = step.worker;
  return set(step, { merge: setFacts(merge, { why: lifecycle.note, notes: merge.notes }) });
}

/**
 * Writes down how an accept ended, for any cause: programs that wait for the accept ask for this record, and not for the state of the worker
 * by then.
 *
 * @param before The worker before the decision.
 */
export function recordAcceptEnd({ merge: before }: Worker, step: Step): Step {
  const accept = acceptOf(before.step);
  const { merge, lifecycle } = step.worker;
  if (accept === null || isAccepting(merge.step)) return step;
  const ended = (how: 'merged' | 'offered' | 'stopped', why: string): Step =>
    record(step, { kind: 'accept-ended', how, why });
  if (step.rules.includes('accept:done')) return ended('merged', lifecycle.note);
  if (offerOf(merge, accept.pin.head) !== null) return ended('offered', lifecycle.note);
  const { sentBack } = merge;
  return ended('stopped', sentBack === null ? lifecycle.note : sentBackText(sentBack));
}
