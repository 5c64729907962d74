/** Freezes a worker's place on this machine, so that the worker can go on elsewhere, and unfreezes it. */
import { messageOf } from '@drover/base';
import type { Command, CommandResult } from '@drover/core';
import { baseRef, checkpoint, findLosses, isNothing, tellLosses } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { HEAVY, QUICK, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf } from '../worktree-of.ts';
import { close } from './close.ts';

export const FREEZE = {
  freeze: { ...HEAVY, holdsPane: true, carryOut: freeze },
  'let-in': { ...QUICK, carryOut: letIn },
} satisfies KnownCommands;

/**
 * Ends the rest of the session, saves the work, and then marks the place as frozen: in this order, so that only a place with saved work is
 * frozen. Safe to repeat. @throws CommandError when something would be left behind.
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

/** Lets agents start here again. */
async function letIn({ frozenPlaces, settings }: CommandContext): Promise<CommandResult> {
  await frozenPlaces.letIn(settings.workerId);
  return { kind: 'let-in' };
}

/**
 * Saves the work, or unfreezes the place on failure, so that work goes on here: also if an earlier try had frozen the place and died before it
 * answered.
 */
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

/** Saves everything in the worktree that git does not ignore, or nothing. */
async function saveAll(context: CommandContext, id: string): Promise<string> {
  const { git, worktree, archive, worker, defaultBranch } = placeOf(context);
  const now = context.clock.now();
  const request = { worktree, archive, worker, id, reason: 'manual', why: 'before it moves', now } as const;
  const { commit, skipped, during } = await checkpoint(git, request);
  if (skipped.length > 0) {
    const files = skipped.slice(0, 10).map(({ path, why }) => `${path} (${why})`);
    const advice = 'Commit them, ignore them in git or move them away, then repeat';
    throw new CommandError(
      'not-saved',
      `Files that a checkpoint cannot hold would stay behind: ${files.join(', ')}. ${advice}`,
    );
  }
  if (during !== undefined) {
    const message = `It has an unfinished ${during.kind}, which cannot continue on another machine: wait until it is done, then repeat`;
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
    context.log('warn', `What "${worker}" has here was not saved: ${messageOf(error)}`);
    return null;
  }
}
