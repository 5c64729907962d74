/** Git worktrees, checkpoints, rebases and accepted work, as functions over a port that runs programs. */
export * from './accept/accept.ts';
export * from './project/branches.ts';
export {
  checkpoint,
  type CheckpointOutcome,
  type CheckpointReason,
  type CheckpointRequest,
  dropCheckpoints,
  listCheckpoints,
} from './checkpoint/checkpoint.ts';
export type { SkippedFile } from './checkpoint/note.ts';
export * from './project/clone.ts';
export * from './worktrees/copy-files.ts';
export { DEADLINES_MS, type Git } from './git/git.ts';
export * from './accept/commit-message.ts';
export * from './accept/fast-forward.ts';
export { collectGarbage } from './checkpoint/garbage.ts';
export * from './git/git-error.ts';
export * from './project/lfs.ts';
export * from './checkpoint/inspect.ts';
export type { Kept } from './git/kept-refs.ts';
export { CHECKPOINT_LIMITS, type CheckpointLimits } from './checkpoint/large-files.ts';
export * from './worktrees/facts.ts';
export { checkpointRef, trashRef, workerBranch, worktreePath } from './names.ts';
export { type Operation, OPERATIONS } from './rebase/operation.ts';
export * from './review/pinned.ts';
export * from './ports.ts';
export * from './worktrees/prepare.ts';
export * from './rebase/rebase.ts';
export * from './worktrees/recycle.ts';
export * from './worktrees/remove.ts';
export * from './review/review.ts';
export { readFileAt } from './git/revisions.ts';
export * from './review/same-work.ts';
export { type SetAsideOutcome, type SetAsideRequest, setAside } from './checkpoint/set-aside.ts';
export * from './project/source.ts';
export { acceptSquash, type SquashOutcome, type SquashRequest } from './accept/squash.ts';
export { type FileChange, type UnmergedEntry } from './git/status.ts';
export * from './accept/validate.ts';
export * from './worktrees/worktrees.ts';
export { CONTEXT_LINES, type ConflictRegion, hasMarkers, parseRegions } from './rebase/conflict-regions.ts';
export * from './rebase/conflict-prompt.ts';
export * from './rebase/conflicts.ts';
export * from './worktrees/orphans.ts';
export * from './rebase/resolution.ts';
export * from './checkpoint/restore.ts';
