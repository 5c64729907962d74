/** Removes a worker from this machine. */
import { messageOf } from '@drover/base';
import type { Command, CommandResult } from '@drover/core';
import {
  baseRef,
  depotOf,
  forgetWork,
  removeLanding,
  type RemoveOutcome,
  removeWorktree,
  tellLosses,
} from '@drover/worktree';
import { hookFiles, removeHooks } from '../../signals/hooks.ts';
import { addressFile, withdrawAddress } from '../../channels/address.ts';
import { depotPlaceOf, ownLandingName } from '../depot-of.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf, placeOf } from '../worktree-of.ts';
import { bringProject } from './prepare.ts';

export const REMOVE = {
  remove: { ...HEAVY, carryOut: remove },
} satisfies KnownCommands;

/** Removes worktree and branch, once nothing would be lost. Forced, everything is kept under trash refs for 14 days. */
export async function remove(
  context: CommandContext,
  { force }: Extract<Command, { kind: 'remove' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, archive, worktree: path, worker, defaultBranch } = place;
  const { commandId: id, clock } = context;
  const isKnown = (await git.files.stat(archive)) !== undefined;
  if (!isKnown && (await git.files.stat(path)) === undefined) return removed(context, []);
  // An outdated default branch can only make fewer commits count as merged, so an unreachable source is no reason to fail.
  const base = await bringProject(context).catch((error: unknown) => {
    if (!isKnown) throw error;
    context.log('warn', `Could not fetch "${defaultBranch}" before removing "${worker}": ${String(error)}`);
    return baseRef(defaultBranch);
  });
  const outcome = await removeWorktree(git, { archive, path, worker, base, id, now: clock.now(), force });
  const whyNot = whyNotRemoved(outcome);
  if (whyNot !== null) return { kind: 'not-removed', why: whyNot };
  return removed(context, outcome.kind === 'removed' ? outcome.trash : []);
}

async function removed(context: CommandContext, trash: readonly string[]): Promise<CommandResult> {
  const { host, settings, knownWorkers, profiles, machineDir } = context;
  const found = profiles.find(settings.profile);
  if (found !== undefined) await removeHooks(host, hookFiles(machineDir, settings.workerId, found.profile));
  await withdrawAddress(host, addressFile(machineDir, settings.workerId));
  await context.files.kept?.forget(settings.workerId);
  await context.conversationNames.forget(settings.workerId);
  await context.cages.forget(settings.workerId);
  knownWorkers.forgetWorker(settings.workerId);
  await clearDepot(context);
  return { kind: 'removed', kept: trash.join(', ') || null };
}

function whyNotRemoved(outcome: RemoveOutcome): string | null {
  switch (outcome.kind) {
    case 'removed':
    case 'absent':
      return null;
    case 'would-lose':
      return `it has ${tellLosses(outcome.losses)}`;
    case 'unreadable':
      return outcome.message;
    default:
      return outcome satisfies never;
  }
}

/** Removes the worker's data from the depot: by now it is in main, in the trash, or useless. A failure fails nothing. */
async function clearDepot(context: CommandContext): Promise<void> {
  const { git, worker } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  if ((await git.files.stat(depotOf(place))) === undefined) return;
  try {
    await forgetWork(git, place, worker);
    await removeLanding(git, place, ownLandingName(context.settings));
  } catch (error) {
    context.log('warn', `The depot could not be tidied up: ${messageOf(error)}`);
  }
}
