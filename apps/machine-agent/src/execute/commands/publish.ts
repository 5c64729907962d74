/** Publishes a checked candidate on the default branch, and gives its worker a fresh worktree. Each step may be repeated. */
import { messageOf } from '@drover/base';
import type { Command, CommandResult } from '@drover/core';
import {
  collectGarbage,
  fillSubmodules,
  forgetWork,
  originOf,
  packDepot,
  prove as proveMerged,
  pruneTrash,
  publish as publishCandidate,
  recycle as recycleWorktree,
  whatChanged,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { depotPlaceOf } from '../depot-of.ts';
import { follow } from '../base/follow.ts';
import { HEAVY, QUICK, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { clonePlaceOf, openPlaceOf, placeOf, type Place } from '../worktree-of.ts';
import { bringProject } from './prepare.ts';
import { offerWork } from './offer.ts';
import { dirty, listPaths } from './dirty.ts';

export const PUBLISH = {
  publish: { ...QUICK, needs: 'source', carryOut: publish },
  prove: { ...QUICK, needs: 'source', carryOut: prove },
  recycle: { ...HEAVY, needs: 'source', carryOut: recycle },
} satisfies KnownCommands;

/** Moves the default branch to the candidate, if it is still at the expected commit. */
async function publish(context: CommandContext, command: Command<'publish'>): Promise<CommandResult> {
  if (context.settings.project.publish === 'branch') return offerWork(context, command);
  const { base, commit } = command;
  const { git, worker, archive } = openPlaceOf(context);
  const request = { worker, base, commit, content: { archive, sha256Of: context.host.sha256 } };
  const outcome = await publishCandidate(git, depotPlaceOf(context), request);
  switch (outcome.kind) {
    case 'published':
      if (outcome.checkout.kind === 'left')
        context.log('warn', `Merged, but changed files in "${outcome.checkout.path}" were left as they were`);
      return { kind: 'published', commit };
    case 'moved':
      return { kind: 'moved', now: outcome.now ?? '' };
    case 'blocked':
      return {
        kind: 'blocked',
        why: `"${outcome.path}" has changes that would be overwritten (${listPaths(outcome.files.map((path) => ({ path })))}): commit or stash them`,
      };
    case 'lacking':
      return { kind: 'blocked', why: outcome.why };
    case 'refused':
      return { kind: 'rejected', words: outcome.words };
    default:
      return outcome satisfies never;
  }
}

/** Asks the target itself whether it contains the commit. */
async function prove(context: CommandContext, { commit }: Command<'prove'>): Promise<CommandResult> {
  const proof = await proveMerged(openPlaceOf(context).git, depotPlaceOf(context), commit);
  return proof.kind === 'merged' ? { kind: 'proven', commit } : { kind: 'unproven', now: proof.tip };
}

/** Makes a fresh worktree after proof that the work is merged, if nothing came after the review. Needs no session. */
async function recycle(context: CommandContext, command: Command<'recycle'>): Promise<CommandResult> {
  const { commit } = command;
  const head = command.head ?? commit;
  const place = placeOf(context);
  const { git, worktree, worker, defaultBranch } = place;
  await follow(context);
  const base = await bringProject(context);
  const clone = clonePlaceOf(place, base, await originOf(openPlaceOf(context).git, place.source));
  const submodules = { worktree, depot: place.depot, commit: base };
  // Before, in case an earlier try was cut off in between: a submodule that lags looks as if somebody had changed it.
  await fillSubmodules(git, submodules);
  const outcome = await recycleWorktree(git, { place: clone, head, commit, now: context.clock.now() });
  switch (outcome.kind) {
    case 'recycled':
      if (outcome.trash !== undefined)
        context.log('debug', `The commits of the merged work are kept: ${outcome.trash}`);
      await fillSubmodules(git, submodules);
      await tidyUp(context, place);
      return { kind: 'recycled', base: outcome.head };
    case 'kept': {
      const [tip] = outcome.tips;
      if (tip === undefined) throw dirty(place, outcome.files);
      return { kind: 'changed', head: tip, why: await whatChanged(git, worktree, { worker, from: head, to: tip }) };
    }
    case 'not-merged': {
      const message = `${commit} is not in "${defaultBranch}", which is at ${outcome.tip}: "${worktree}" was kept`;
      throw new CommandError('not-recycled', message);
    }
    case 'blocked':
      throw new CommandError('not-recycled', outcome.message);
    default:
      return outcome satisfies never;
  }
}

/** Drops trash older than 14 days. A failure fails nothing. */
async function tidyUp(context: CommandContext, { git, root, archive, worktree, depot, worker }: Place): Promise<void> {
  const { clock, log } = context;
  try {
    const dropped = await pruneTrash(git, { archive, root, now: clock.now() });
    for (const one of dropped) log('info', `Dropped ${one}: it was removed more than 14 days ago`);
    await collectGarbage(git, { at: worktree });
    const { git: open } = openPlaceOf(context);
    await forgetWork(open, depot, worker);
    await collectGarbage(open, { at: archive });
    await packDepot(open, depot);
  } catch (error) {
    log('warn', `"${archive}" could not be tidied up: ${messageOf(error)}`);
  }
}
