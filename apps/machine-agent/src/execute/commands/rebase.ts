/** Rebases work onto the newest default branch in its worktree, and writes the prompt about conflicts for its agent. */
import type { Command, CommandResult, Pin } from '@drover/core';
import {
  bringBase,
  checkPinned,
  conflictPrompt,
  depotOf,
  fillSubmodules,
  findDropped,
  noteBase,
  readConflicts,
  readWorktree,
  rebaseAsOne,
  treeOf,
  type WorktreeFacts,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { checksOf } from '../checks/required.ts';
import { follow } from '../base/follow.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf, placeOf, type Place } from '../worktree-of.ts';
import { dirty } from './dirty.ts';

export const REBASE = {
  rebase: { ...HEAVY, needs: 'source', carryOut: rebase },
} satisfies KnownCommands;

/** Puts the work, as one commit, on the newest default branch; conflicts are left standing for the worker. */
async function rebase(
  context: CommandContext,
  { at, began }: Extract<Command, { kind: 'rebase' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, worktree, archive, worker, branch, defaultBranch, depot } = place;
  const facts = await readWorktree(git, { path: worktree, base: 'HEAD' });
  const elsewhere = at === null ? null : await whereElse(place, facts, at);
  if (elsewhere !== null) return elsewhere;
  const head = facts.rebase?.originalHead ?? facts.head;
  const { git: open } = openPlaceOf(context);
  await follow(context);
  const onto = await bringBase(open, depot);
  await noteBase(git, worktree, { depot: depotOf(depot), defaultBranch, base: onto });
  const beyond = await findDropped(open, depot, { worker, clone: worktree, head, began });
  const { commandId: id, clock } = context;
  const request = { worktree, archive, worker, onto, id, now: clock.now(), beyond };
  const submodules = { worktree, depot, commit: onto };
  // Before, in case an earlier try was cut off in between: a submodule that lags looks as if somebody had changed it.
  await fillSubmodules(git, submodules);
  const outcome = await rebaseAsOne(git, request);
  if (outcome.kind === 'rebased' || outcome.kind === 'conflict') await fillSubmodules(git, submodules);
  switch (outcome.kind) {
    case 'rebased': {
      const { onto: base, head } = outcome;
      return { kind: 'rebased', base, from: at?.head ?? facts.head, head, moved: head !== facts.head };
    }
    case 'conflict':
      return conflicted(context, place, { ...outcome, beyond });
    case 'dirty':
      throw dirty(place, outcome.files);
    case 'wrong-branch':
      throw new CommandError('wrong-branch', `"${worktree}" does not have "${branch}" checked out`);
    case 'interrupted':
      throw new CommandError('rebase-interrupted', `Drover could not abort the rebase in "${worktree}"`);
    default:
      return outcome satisfies never;
  }
}

/** @returns null when the branch is at the pinned commit, or at the one commit that an earlier attempt made of that. */
async function whereElse(
  { git, worktree, worker, branch }: Place,
  { rebase: standing, branch: checkedOut, head }: WorktreeFacts,
  pin: Pin,
): Promise<CommandResult | null> {
  const found = await checkPinned(git, { worktree, worker, pin });
  if (found.kind === 'there') return null;
  const now = standing?.branch === branch ? standing.originalHead : checkedOut === branch ? head : null;
  if (now === null) return found;
  // The pinned commit may be missing in this repository.
  const tree = pin.tree ?? (await treeOf(git, worktree, pin.head).catch(() => null));
  return tree === (await treeOf(git, worktree, now)) ? null : found;
}

async function conflicted(
  context: CommandContext,
  { git, worktree, branch, defaultBranch }: Place,
  { onto, orig, beyond }: { readonly onto: string; readonly orig: string; readonly beyond: string | undefined },
): Promise<CommandResult> {
  const conflicts = await readConflicts(git, worktree);
  if (conflicts === undefined) {
    throw new CommandError('conflict-vanished', `The conflicts in "${worktree}" are already resolved`, { retry: true });
  }
  // Without checks the agent still has its conflicts to resolve; the merge reports the error of the checks.
  const { commands } = await checksOf(context).catch(() => ({ commands: [] }));
  const validate = commands.map((words) => words.join(' '));
  const prompt = conflictPrompt({ defaultBranch, branch, conflicts, validate });
  return {
    kind: 'conflict',
    files: conflicts.files.map(({ path }) => path),
    prompt,
    onto,
    orig,
    ...(beyond !== undefined && { beyond }),
  };
}
