/** Builds from a worker's work the commit that would be merged, beside its worktree. */
import type { Command, CommandResult, Pin } from '@drover/core';
import { checkPinned, makeCandidate, pinHead } from '@drover/worktree';
import { checksOf, digestOf } from '../checks/required.ts';
import { depotPlaceOf } from '../depot-of.ts';
import { follow } from '../base/follow.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf, placeOf } from '../worktree-of.ts';

export const CANDIDATE = {
  candidate: { ...HEAVY, needs: 'source', carryOut: candidate },
} satisfies KnownCommands;

/** Reads the worktree only to check that its branch is at the requested commit. Safe to repeat. */
async function candidate(context: CommandContext, { at, began }: Command<'candidate'>): Promise<CommandResult> {
  const { git, worktree, worker } = placeOf(context);
  await follow(context);
  const pin: Pin = at ?? (await pinHead(git, worktree));
  const found = await checkPinned(git, { worktree, worker, pin });
  if (found.kind === 'changed') return found;
  const { head } = found;
  const mayBeOffered = context.settings.project.publish === 'branch';
  const request = { worker, clone: worktree, head, began, mayBeOffered, against: pin.against };
  const outcome = await makeCandidate(openPlaceOf(context).git, depotPlaceOf(context), request);
  if (outcome.kind !== 'candidate') return { ...outcome };
  return { ...outcome, checks: digestOf(await checksOf(context)) };
}
