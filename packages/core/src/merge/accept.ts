/**
 * Merges accepted work. The steps follow each other, each a command that is safe to repeat, each result recorded in the row, so that any
 * coordinator can go on after a crash.
 *
 * The merge takes exactly the reviewed commit (docs/adr/0016-merges-are-candidates.md): each command names the commit that it acts on, each
 * result the commits that it left. Only a result for the named commit makes its new commit the next to be acted on.
 */
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { tellGitlinks } from '../machine/gitlinks.ts';
import { PUBLISH_TRIES_MAX } from '../policy/policy.ts';
import { offerText } from '../policy/texts.ts';
import { showSign } from '../recovery/incident.ts';
import { leaveSession } from '../recovery/session-lost.ts';
import { isAway } from '../placement/check-place.ts';
import { unlinked } from './chain.ts';
import { checkPlaceNow } from './commands.ts';
import { endChanged, recycled, short, stopChanged, stopMerge, stopMisplaced, stopUnnamed } from './ending.ts';
import { releaseLease } from './lease.ts';
import { acceptRewritten } from '../events/rework.ts';
import { goTo, hasPassed, offerOf, setCandidate, setOffer, setRebaseDue } from './state.ts';
import type {
  Building,
  Checking,
  Closing,
  Commanded,
  Done,
  Extending,
  MergeStep,
  Proving,
  Publishing,
  Recycling,
} from './step.ts';
import { beginChain, chainBuilt, prefixFailed, prefixPassed, trainLanded } from './train.ts';

type Ended<K extends Success['kind']> = Extract<Success, { kind: K }>;

/** Goes on from the result of a step. A result that does not belong to the step ends the accept. */
export function mergeStepEnded(step: Step, at: Commanded, result: Success): Step {
  switch (at.kind) {
    case 'building':
      return buildingEnded(step, at, result);
    case 'extending':
      return extendingEnded(step, at, result);
    case 'checking':
      return checkingEnded(step, at, result);
    case 'publishing':
      return publishingEnded(step, at, result);
    case 'proving':
      return provingEnded(step, at, result);
    case 'closing':
      return closingEnded(step, at, result);
    case 'recycling':
      return recyclingEnded(step, at, result);
    default:
      return at satisfies never;
  }
}

function buildingEnded(step: Step, at: Building, result: Success): Step {
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
      return stopMisplaced(step, at, result);
  }
}

function extendingEnded(step: Step, at: Extending, result: Success): Step {
  if (result.kind !== 'extended') return stopMisplaced(step, at, result);
  return chainBuilt(step, at, result) ?? stopUnnamed(step, at);
}

function checkingEnded(step: Step, at: Checking, result: Success): Step {
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
      return stopMisplaced(step, at, result);
  }
}

function publishingEnded(step: Step, at: Publishing, result: Success): Step {
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
        `the place of the default branch refused it: ${result.words}; if people merge there by request, set publish = "branch" in [repo] of drover.toml`,
      );
    default:
      return stopMisplaced(step, at, result);
  }
}

function provingEnded(step: Step, at: Proving, result: Success): Step {
  const { accept, commit } = at;
  switch (result.kind) {
    case 'proven':
      return result.commit === commit
        ? put(step, { kind: 'closing', accept, done: { how: 'published', commit } })
        : stopUnnamed(step, at);
    case 'unproven':
      return stopMerge(
        rule(step, 'accept:unproven'),
        `its machine said that it published ${short(commit)}, and the default branch does not contain it`,
      );
    default:
      return stopMisplaced(step, at, result);
  }
}

function closingEnded(step: Step, at: Closing, result: Success): Step {
  if (result.kind !== 'closed') return stopMisplaced(step, at, result);
  return put(leaveSession(step), { kind: 'recycling', accept: at.accept, done: at.done });
}

function recyclingEnded(step: Step, at: Recycling, result: Success): Step {
  switch (result.kind) {
    case 'recycled':
      return recycled(step, at.done, result.base);
    case 'changed':
      return endChanged(step, at.done, result);
    default:
      return stopMisplaced(step, at, result);
  }
}

/** G2: takes a candidate made of the commit that the person has seen, and of no other. */
function candidateMade(step: Step, at: Building, made: Ended<'candidate'>): Step {
  const { pin } = at.accept;
  if (made.head !== pin.head || (pin.tree !== null && made.headTree !== pin.tree)) return stopUnnamed(step, at);
  const known = set(showSign(step, 'rebased'), { merge: setCandidate(step.worker.merge, made) });
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
  const merge = setRebaseDue(setCandidate(free.worker.merge, made), true);
  return note(
    set(free, { merge }),
    `not merged: it conflicts with the default branch in ${made.files.length} file(s), which its agent resolves first`,
  );
}

/** G7: ends the task if there is nothing to merge, only if a person says so. */
function contained(step: Step, at: Building, made: Ended<'contained'>): Step {
  const { accept } = at;
  if (made.head !== accept.pin.head) return stopUnnamed(step, at);
  const known = set(step, { merge: setCandidate(step.worker.merge, made) });
  if (offerOf(known.worker.merge, made.head) !== null) {
    const done: Done = { how: 'by-people', commit: made.base };
    return put(rule(known, 'accept:offer-merged'), { kind: 'closing', accept, done });
  }
  // The commit was on its way when another worker got the lease: git says whether it arrived.
  if (accept.maybe !== null) {
    const proving = { kind: 'proving', accept: { ...accept, maybe: null }, commit: accept.maybe } as const;
    return put(rule(known, 'accept:perhaps-published'), proving);
  }
  if (accept.nothing) {
    const done: Done = { how: 'nothing', commit: made.base };
    return put(rule(known, 'accept:nothing'), { kind: 'closing', accept, done });
  }
  return stopMerge(
    rule(known, 'accept:contained'),
    'the default branch has all of it already, so nothing would be merged: "drover accept --nothing" ends its task all the same; "drover reject" sends it back',
  );
}

/** Makes and checks the candidate again, on the default branch that somebody else has moved. */
function targetMoved(step: Step, { accept, on, train, moved: before }: Publishing): Step {
  const moved = before + 1;
  const named = rule(step, 'accept:default-branch-moved');
  const again = train === null ? null : unlinked(train);
  if (moved < PUBLISH_TRIES_MAX) return put(named, { kind: 'building', accept, moved, on, train: again });
  return stopMerge(named, `the default branch moved ${moved} times before it could be merged: accept it again`);
}

function published(step: Step, at: Publishing): Step {
  const told = trainLanded(rule(step, 'accept:merged'), at);
  const next = put(told, { kind: 'proving', accept: at.accept, commit: at.own.commit });
  return record(next, { kind: 'default-branch-moved', commit: at.tip.head });
}

/** G5: offers the commit as a branch; its task goes on until the default branch has it. Meanwhile others are merged. */
function offered(step: Step, { accept }: Publishing, { commit, branch, why }: Ended<'offered'>): Step {
  const free = releaseLease(step, 'accept:offered');
  const { now } = step.ctx;
  const merge = setOffer(free.worker.merge, { head: accept.pin.head, commit, branch, why, at: now });
  const text = offerText({ branch, why });
  return record(note(set(free, { merge }), text), { kind: 'notice', text });
}

function put(step: Step, at: MergeStep): Step {
  return set(step, { merge: goTo(step.worker.merge, at) });
}
