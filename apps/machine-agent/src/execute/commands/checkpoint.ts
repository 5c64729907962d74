/** Saves a worker's work as it is, to restart from. */
import { messageOf } from '@drover/base';
import { DEFAULT_POLICY, surplusCheckpoints } from '@drover/core';
import type { Command, CommandResult } from '@drover/core';
import { checkpoint as keepWorktree, dropCheckpoints, listCheckpoints } from '@drover/worktree';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { placeOf, type Place } from '../worktree-of.ts';

export const CHECKPOINT = {
  checkpoint: { ...HEAVY, carryOut: checkpoint },
} satisfies KnownCommands;

/**
 * Answers `checkpointed` with the commit that holds the work: a new one, or the last one when nothing changed since. Removes surplus
 * checkpoints. Safe to repeat. @throws GitError
 */
async function checkpoint(
  context: CommandContext,
  command: Extract<Command, { kind: 'checkpoint' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, worktree, archive, worker } = place;
  const request = {
    worktree,
    archive,
    worker,
    id: command.id,
    reason: command.type,
    why: command.why,
    now: context.clock.now(),
  };
  const { commit, head, dirty, skipped } = await keepWorktree(git, request);
  if (skipped.length > 0) {
    const named = skipped.map(({ path, why }) => `"${path}" (${why})`);
    context.log('warn', `The checkpoint of "${worker}" does not hold ${list(named)}`);
  }
  await makeRoom(context, place, command.keptMax ?? DEFAULT_POLICY.checkpoint.keptMax);
  return { kind: 'checkpointed', commit, head, dirty };
}

/** Removes surplus checkpoints. A failure is ignored: the next checkpoint retries. */
async function makeRoom({ log }: CommandContext, { git, archive, worker }: Place, keptMax: number): Promise<void> {
  try {
    const all = await listCheckpoints(git, { archive, worker });
    const counted = all.filter(({ reason }) => reason !== 'set-aside');
    const sorted = counted.map(({ id, reason, savedAt }) => ({ id, type: reason, at: savedAt }));
    const ids = surplusCheckpoints(sorted, keptMax);
    if (ids.length > 0) await dropCheckpoints(git, { archive, worker, ids });
  } catch (error) {
    log('warn', `Old checkpoints of "${worker}" could not be dropped: ${messageOf(error)}`);
  }
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
