/** Restores a worker's worktree to a checkpoint. */
import type { Command, CommandResult } from '@drover/core';
import { restoreCheckpoint, unconfined, verifyCheckpoint } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import { setUpOf } from '../set-up/wanted.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf } from '../worktree-of.ts';
import { bringProject, ensureWorktreeOf, supplyWorktree } from './prepare.ts';

export const RESTORE = {
  restore: { ...HEAVY, carryOut: restore },
} satisfies KnownCommands;

/**
 * Answers `restored`; the previous content of the worktree is on the refs that it names. Makes a missing worktree again. Safe to repeat.
 * @throws CommandError with the reason and the way out, when nothing was changed.
 */
async function restore(
  context: CommandContext,
  command: Extract<Command, { kind: 'restore' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, archive, worktree, worker } = place;
  const base = await bringProject(context);
  const verified = await verifyCheckpoint(unconfined(git), { path: archive, commit: command.commit });
  if (verified.kind === 'damaged') throw damaged(command, verified.why);
  const { kind: made } = await ensureWorktreeOf(context, place, base);
  const request = {
    worktree,
    archive,
    worker,
    commit: command.commit,
    saveAs: command.saveAs,
    now: context.clock.now(),
  };
  const outcome = await restoreCheckpoint(git, request);
  switch (outcome.kind) {
    case 'restored': {
      const supplies = made === 'created' ? await supplyWorktree(context, place, { base, behind: null }) : undefined;
      if (outcome.before !== undefined) {
        const what = `was taken during a ${outcome.before.kind}; the branch is where it was before that`;
        context.log('warn', `Checkpoint ${short(command)} of "${worker}" ${what}, the rest is in ${command.commit}`);
      }
      const setUp = await setUpOf(context, made === 'created');
      return { kind: 'restored', head: outcome.head, saved: outcome.saved.join(', ') || null, supplies, setUp };
    }
    case 'damaged':
      throw damaged(command, outcome.why);
    case 'in-the-way': {
      const files = outcome.files.slice(0, 10).join(', ');
      const advice = 'Make them readable or move them away, then repeat';
      throw new CommandError(
        'not-saved',
        `"${worktree}" holds files that cannot be read, so not saved: ${files}. ${advice}`,
      );
    }
    default:
      return outcome satisfies never;
  }
}

function damaged(command: Extract<Command, { kind: 'restore' }>, why: string): CommandError {
  const advice = 'Choose another one: see "drover worker checkpoint"';
  return new CommandError('checkpoint-damaged', `Checkpoint ${short(command)} cannot be restored: ${why}. ${advice}`);
}

function short({ id }: { readonly id: string }): string {
  return id.slice(-8);
}
