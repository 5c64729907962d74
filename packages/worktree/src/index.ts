/** Git worktrees, checkpoints, rebases and accepted work, as functions over a port that runs programs. */
export * from './project/branches.ts';
export { findPrefixTaken, type PrefixTaken, tellPrefixTaken } from './project/branch-prefix.ts';
export { makeCandidate } from './depot/candidate.ts';
export { extendChain } from './depot/extend.ts';
export { forgetChecked, packForChecks, takeForChecks } from './depot/checked-elsewhere.ts';
export { findGuest, takeGuest } from './depot/guests.ts';
export { lackedByRun, packForRun, takeForRun } from './depot/runs/carried.ts';
export type { Arrived } from './depot/targets/take-in.ts';
export {
  candidateOfRun,
  forgetRun,
  joinRun,
  pinAlsoForRun,
  pinForRun,
  pinMainForRun,
  pinSavedForRun,
  type RunCandidate,
  type RunCommit,
  type RunJoined,
  type RunPart,
} from './depot/runs/runs.ts';
export { type DepotPlace, type Target, depotOf } from './depot/place.ts';
export { forgetWork, readOnMain } from './depot/head.ts';
export { findDropped, showWork } from './depot/shown.ts';
export { LANDING, gitDirOf, landingOf, removeLanding, withLanding } from './depot/landing.ts';
export { commitMessage, noteAsked, offer } from './depot/offer.ts';
export { prove, publish } from './depot/publish.ts';
export type { ContentOrigin } from './content/origin.ts';
export { contentOf, storeIn } from './content/store.ts';
export { hasAtHome, keepAtHome, packHome, publishHome, readHome, settleHome } from './depot/home.ts';
export type { Carrier } from './depot/targets/carrier.ts';
export type { PublishOutcome, PublishRequest } from './depot/targets/outcome.ts';
export type { Home, ParcelFile } from './depot/targets/ports.ts';
export type { CandidateNote } from './depot/undone.ts';
export { checkpoint, type CheckpointOutcome, dropCheckpoints, listCheckpoints } from './checkpoint/checkpoint.ts';
export * from './archive/archive.ts';
export { keepBranch } from './archive/keep.ts';
export { carryIdentity, findIdentity, type Identity } from './project/identity.ts';
export * from './worktrees/copy-files.ts';
export { describeLockFiles } from './worktrees/lock-files.ts';
export { type Git, gitOn, unconfined } from './git/git.ts';
export * from './accept/commit-message.ts';
export { collectGarbage, packDepot } from './checkpoint/garbage.ts';
export * from './git/git-error.ts';
export * from './project/lfs.ts';
export { missingFilters } from './project/converters.ts';
export * from './checkpoint/inspect.ts';
export type { Kept } from './git/kept-refs.ts';
export * from './worktrees/astray.ts';
export * from './worktrees/facts.ts';
export { checkpointRef, directoryProblem, placesIn, workerBranch, worktreePath } from './names.ts';
export { type Operation } from './rebase/operation.ts';
export * from './review/pinned.ts';
export { pack, type PackOutcome, type ParcelRef } from './parcel/pack.ts';
export { newestTips } from './parcel/tips.ts';
export { unpack, type UnpackOutcome } from './parcel/unpack.ts';
export { filesOn, runOn } from './git/on-host.ts';
export type { GitFiles, RunCommand, RunResult } from './git/on-host.ts';
export * from './worktrees/prepare.ts';
export * from './rebase/rebase.ts';
export * from './rebase/resolution.ts';
export * from './rebase/resolution-words.ts';
export * from './rebase/one-commit.ts';
export * from './worktrees/recycle.ts';
export * from './worktrees/supply.ts';
export { fillSubmodules } from './submodules/fill.ts';
export type { LackingSubmodule } from './submodules/find.ts';
export * from './worktrees/remove.ts';
export {
  commits,
  diff,
  type LineCounts,
  type OpenChange,
  openChange,
  type ReviewedFile,
  stat,
} from './review/review.ts';
export { reviewNotes } from './review/notes.ts';
export { sides } from './review/sides.ts';
export { standing } from './review/standing.ts';
export { setAside } from './checkpoint/set-aside.ts';
export { isRemoteUrl } from './project/remote.ts';
export { type Followed, followUpstream } from './project/follow.ts';
export { findStart, hasStart, type StartPoint } from './project/start-point.ts';
export { setPushAddress } from './project/push-address.ts';
export { isOfOtherBuild, originOf } from './project/origin.ts';
export * from './project/source.ts';
export { readUpstream, type Upstream, upstreamWarning } from './project/upstream.ts';
export { squashWork } from './rebase/squash.ts';
export type { SourceCheck } from './project/source-check.ts';
export * from './accept/validate.ts';
export * from './worktrees/worktrees.ts';
export * from './rebase/conflict-prompt.ts';
export * from './rebase/conflicts.ts';
export * from './worktrees/places.ts';
export * from './worktrees/clone.ts';
export * from './worktrees/trash.ts';
export { asideSince, isBeside } from './worktrees/beside.ts';
export { findLosses, isNothing, tellLosses, type Losses } from './worktrees/losses.ts';
export * from './checkpoint/restore.ts';
