/** How does a worker's place on this machine come to rest, so that the worker can go on elsewhere, and how does it wake up again? */
import type { Command, CommandResult } from '@drover/core';
import { baseRef, checkpoint, findLosses, isNothing, tellLosses } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { HEAVY, QUICK, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf } from '../worktree-of.ts';
import { close } from './close.ts';

/** What the executor knows of `freeze` and `let-in`. */
export const FREEZE = {
  freeze: { ...HEAVY, holdsPane: true, carryOut: freeze },
  'let-in': { ...QUICK, carryOut: letIn },
} satisfies KnownCommands;

/**
 * Ends what is left of the session, saves the work, and writes down that nothing begins here any more: in this order, so that a
 * place is only frozen whose work is saved. Safe to repeat. @throws CommandError when something would be left behind.
 */
async function freeze(
  context: CommandContext,
  { move, id, mustSave }: Extract<Command, { kind: 'freeze' }>,
): Promise<CommandResult> {
  const { frozenPlaces, settings } = context;
  await close(context);
  const commit = mustSave ? await saveOrLetIn(context, { move, id }) : await saveIfPossible(context, id);
  await frozenPlaces.freeze(settings.workerId, move);
  return { kind: 'frozen', commit };
}

/** Agents may be started here again. */
async function letIn({ frozenPlaces, settings }: CommandContext): Promise<CommandResult> {
  await frozenPlaces.letIn(settings.workerId);
  return { kind: 'let-in' };
}

/** What could not be saved stays, and is worked on here: also where an earlier try had frozen the place and died before it said so. */
async function saveOrLetIn(
  context: CommandContext,
  { move, id }: { readonly move: string; readonly id: string },
): Promise<string> {
  const { frozenPlaces, settings } = context;
  try {
    return await saveAll(context, id);
  } catch (error) {
    if ((await frozenPlaces.frozenFor(settings.workerId)) === move) await frozenPlaces.letIn(settings.workerId);
    throw error;
  }
}

/** Everything that the worktree holds and git does not ignore goes along, or nothing does. */
async function saveAll(context: CommandContext, id: string): Promise<string> {
  const { git, worktree, archive, worker, defaultBranch } = placeOf(context);
  const now = context.clock.now();
  const request = { worktree, archive, worker, id, reason: 'manual', why: 'before it moves', now } as const;
  const { commit, skipped, during } = await checkpoint(git, request);
  if (skipped.length > 0) {
    const files = skipped.slice(0, 10).map(({ path, why }) => `${path} (${why})`);
    const advice = 'Commit them, let git ignore them or move them away, then repeat';
    throw new CommandError(
      'not-saved',
      `Files that a checkpoint cannot hold would stay behind: ${files.join(', ')}. ${advice}`,
    );
  }
  if (during !== undefined) {
    const message = `It is in the middle of a ${during.kind}, which cannot go on elsewhere: wait until it is done, then repeat`;
    throw new CommandError('operation-in-progress', message);
  }
  const losses = await findLosses(git, { path: worktree, worker, base: baseRef(defaultBranch) });
  const beside = { ...losses, files: [], ignored: [], commits: [] };
  if (!isNothing(beside)) {
    const advice = 'Commit it on its branch, push it or drop it, then repeat';
    throw new CommandError('not-saved', `Work beside its branch would stay behind: ${tellLosses(beside)}. ${advice}`);
  }
  return commit;
}

async function saveIfPossible(context: CommandContext, id: string): Promise<string | null> {
  const { git, worktree, archive, worker } = placeOf(context);
  if ((await git.files.stat(`${worktree}/.git`)) === undefined) return null;
  const request = {
    worktree,
    archive,
    worker,
    id,
    reason: 'manual',
    why: 'before it comes back',
    now: context.clock.now(),
  } as const;
  try {
    return (await checkpoint(git, request)).commit;
  } catch (error) {
    context.log(
      'warn',
      `What "${worker}" has here was not saved: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}
