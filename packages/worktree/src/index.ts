/** Git worktrees, checkpoints, rebases and accepted work, as functions over a port that runs programs. */
export * from './accept.ts';
export * from './branches.ts';
export {
  checkpoint,
  type CheckpointOutcome,
  type CheckpointReason,
  type CheckpointRequest,
  dropCheckpoints,
  listCheckpoints,
} from './checkpoint.ts';
export type { SkippedFile } from './checkpoint-note.ts';
export * from './clone.ts';
export * from './copy-files.ts';
export { DEADLINES_MS, type Git } from './git.ts';
export * from './commit-message.ts';
export * from './fast-forward.ts';
export { collectGarbage } from './garbage.ts';
export * from './git-error.ts';
export * from './lfs.ts';
export * from './inspect-checkpoint.ts';
export type { Kept } from './kept-refs.ts';
export { CHECKPOINT_LIMITS, type CheckpointLimits } from './large-files.ts';
export * from './look.ts';
export { checkpointRef, trashRef, workerBranch, worktreePath } from './names.ts';
export { type Operation, OPERATIONS } from './operation.ts';
export * from './pinned.ts';
export * from './ports.ts';
export * from './prepare.ts';
export * from './rebase.ts';
export * from './recycle.ts';
export * from './remove-worktree.ts';
export * from './review.ts';
export { readFileAt } from './revisions.ts';
export * from './same-work.ts';
export { type SetAsideOutcome, type SetAsideRequest, setAside } from './set-aside.ts';
export * from './source.ts';
export { acceptSquash, type SquashOutcome, type SquashRequest } from './squash.ts';
export { type FileChange, type UnmergedEntry } from './status.ts';
export * from './validate.ts';
export * from './worktrees.ts';
export { CONTEXT_LINES, type ConflictRegion, hasMarkers, parseRegions } from './conflict-regions.ts';
export * from './conflict-prompt.ts';
export * from './conflicts.ts';
export * from './orphans.ts';
export * from './resolution.ts';
export * from './restore.ts';
