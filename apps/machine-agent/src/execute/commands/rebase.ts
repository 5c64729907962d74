/** How is work brought onto the newest default branch in its worktree? */
import type { Command, CommandResult, Pin } from '@drover/core';
import {
  acceptRebase,
  conflictPrompt,
  readWorktree,
  checkPinned,
  pinHead,
  readConflicts,
  type RebaseProgress,
  type WorktreeFacts,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { checksOf } from '../checks.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf, type Place } from '../worktree-of.ts';
import { dirty } from './dirty.ts';

/** Puts the branch on the newest default branch; conflicts are left standing for the worker. */
export async function rebase(
  context: CommandContext,
  { at }: Extract<Command, { kind: 'rebase' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, worktree, worker, defaultBranch } = place;
  const facts = await readWorktree(git, { path: worktree, base: 'HEAD' });
  const elsewhere = at === null ? null : await whereElse(place, facts, at);
  if (elsewhere !== null) return elsewhere;
  const request = { worktree, worker, defaultBranch, id: context.commandId, now: context.clock.now() };
  const outcome = await acceptRebase(git, request);
  switch (outcome.kind) {
    case 'ready':
    case 'nothing-to-accept':
      return rebased(place, { from: facts.head, base: outcome.base });
    case 'conflict':
      return conflicted(context, place, outcome.progress);
    case 'dirty':
      throw dirty(place, outcome.files);
    case 'interrupted':
      throw new CommandError('rebase-interrupted', `A rebase stands in "${worktree}" and cannot be given up`);
    default:
      return outcome satisfies never;
  }
}

/** @returns null when t/** @returns null when the branch is at what is to be rebased. */
async function whereElse(
  { git, worktree, worker, branch }: Place,
  { rebase: standing }: WorktreeFacts,
  pin: Pin,
): Promise<CommandResult | null> {
  if (standing?.branch === branch && standing.originalHead === pin.head) return null;
  const found = await checkPinned(git, { worktree, worker, pin });
  return found.kind === 'there' ? null : found;
}

/** Judged by what is there now, not by what git was asked to do: its agent may have been quicker. */
async function rebased(
  { git, worktree }: Place,
  { from, base }: { readonly from: string; readonly base: string },
): Promise<CommandResult> {
  const { head } = await pinHead(git, worktree);
  return { kind: 'rebased', base, from, head, moved: head !== from };
}

async function conflicted(
  context: CommandContext,
  { git, worktree, branch, defaultBranch }: Place,
  { onto, originalHead: orig }: RebaseProgress,
): Promise<CommandResult> {
  const conflicts = await readConflicts(git, worktree);
  if (conflicts === undefined) {
    throw new CommandError('conflict-vanished', `The conflicts in "${worktree}" are gone already`, { retry: true });
  }
  // Without them the agent still has its conflicts to resolve; the merge will say what is wrong with the checks.
  const { commands } = await checksOf(context).catch(() => ({ commands: [] }));
  const validate = commands.map((words) => words.join(' '));
  const prompt = conflictPrompt({ defaultBranch, branch, conflicts, validate });
  return { kind: 'conflict', files: conflicts.files.map(({ path }) => path), prompt, onto, orig };
}
