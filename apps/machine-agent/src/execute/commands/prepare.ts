/** Makes a worktree, and brings it to the newest default branch. */
import { BRANCH_PREFIX, type Command, type CommandResult, type Success, type Supplies } from '@drover/core';
import {
  bringBase,
  carryIdentity,
  checkSource,
  depotOf,
  ensureWorktree,
  fillSubmodules,
  hasStart,
  findPrefixTaken,
  type Git,
  isOfOtherBuild,
  originOf,
  readWorktree,
  prepareForTask,
  setPushAddress,
  supply,
  tellPrefixTaken,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { clearDeadLocks } from '../../panes/place/dead-locks.ts';
import { follow } from '../base/follow.ts';
import { suppliesOf } from '../base/supplies.ts';
import { trustOf } from '../set-up/trust.ts';
import { setUpOf } from '../set-up/wanted.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { clonePlaceOf, openPlaceOf, placeOf, type Place } from '../worktree-of.ts';

export const PREPARE = {
  prepare: { ...HEAVY, needs: 'source', carryOut: prepare },
} satisfies KnownCommands;

/** Answers `prepared`; safe to repeat. @throws CommandError when something else is in the way. */
async function prepare(
  context: CommandContext,
  command: Extract<Command, { kind: 'prepare' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const behind = await follow(context);
  const base = await bringProject(context);
  const start = await startOf(context, command.from, base);
  await clearDeadLocks(context, place.worktree);
  const made = await ensureWorktreeOf(context, place, base);
  const isNew = made.kind === 'created';
  // A new worktree at the newest default branch is as a reset would make it.
  if (isNew && (!command.reset || made.head === start)) {
    const supplies = await supplyWorktree(context, place, { base, behind });
    return { kind: 'prepared', base, head: made.head, saved: null, supplies, setUp: await setUpOf(context, true) };
  }
  if (!command.reset) {
    const { head } = await readWorktree(place.git, { path: place.worktree, base });
    return { kind: 'prepared', base, head, saved: null, supplies: undefined, setUp: await setUpOf(context, isNew) };
  }
  const brought = await bringToBase(context, place, { base, start, behind, saveAs: command.saveAs });
  return { ...brought, setUp: await setUpOf(context, isNew) };
}

/** Commit on which a task begins. @throws CommandError `start-is-gone`. */
async function startOf(context: CommandContext, from: string | null | undefined, base: string): Promise<string> {
  if (from === null || from === undefined) return base;
  const { git, depot } = openPlaceOf(context);
  if (await hasStart(git, depot, from)) return from;
  throw new CommandError(
    'start-is-gone',
    `The commit ${from} that the task starts from is not on this machine: cancel the task ("drover cancel"), and start it again with "--from"`,
  );
}

/**
 * Brings the newest default branch to this machine, with everything that places of workers are made from. @returns its commit.
 *
 * @throws CommandError with advice, if the source cannot serve.
 */
export async function bringProject(context: CommandContext): Promise<string> {
  const { git, root, source, depot, archive, defaultBranch } = openPlaceOf(context);
  if (depot.target.kind !== 'home' && (await git.files.stat(depotOf(depot))) === undefined) {
    const check = await checkSource(git, source, { defaultBranch });
    if (check.kind !== 'ok' && check.kind !== 'dirty') throw new CommandError(`source-${check.kind}`, check.message);
  }
  if ((await git.files.stat(archive)) === undefined && (await isOfOtherBuild(git, root)))
    throw new CommandError(
      'root-of-another-build',
      `"${root}" was made by another build of Drover, so Drover leaves it unchanged: run "drover init" with another target`,
    );
  return bringBase(git, depot);
}

/** Makes the worktree exist, on its branch, with the author of its commits. @throws CommandError `worktree-occupied`. */
export async function ensureWorktreeOf(
  context: CommandContext,
  place: Place,
  base: string,
): Promise<{ readonly kind: 'created' | 'exists' | 'repaired'; readonly head: string }> {
  const { git } = openPlaceOf(context);
  // Only such projects have branches of workers beside those of people.
  const isHandedOver = context.settings.project.publish === 'branch';
  if (isHandedOver && (await git.files.stat(place.worktree)) === undefined) await checkPrefix(git, [place.source]);
  const made = await ensureWorktree(place.git, clonePlaceOf(place, base, await originOf(git, place.source)));
  if (made.kind === 'occupied') throw new CommandError('worktree-occupied', made.message);
  if (made.kind === 'repaired')
    context.log(
      'warn',
      `The worktree of "${place.worker}" had lost its .git and got a new one; its files are as they were`,
    );
  // The source may name another person by now. A worker's cage does not see the machine's own settings of the author.
  await carryIdentity(git, { at: place.worktree, source: place.source });
  const { agentPush: mayPush } = context.settings.project;
  await setPushAddress(git, { at: place.worktree, source: place.source, mayPush });
  return made;
}

/** Refuses a prefix below which the project can have no branch. @throws CommandError `branch-prefix-taken`. */
async function checkPrefix(git: Git, places: readonly string[]): Promise<void> {
  const { branchPrefix = BRANCH_PREFIX } = git;
  const taken = await findPrefixTaken(git, places, branchPrefix);
  if (taken !== undefined) throw new CommandError('branch-prefix-taken', tellPrefixTaken(taken, branchPrefix));
}

/** Commits at which a place begins. */
interface Beginning {
  /** Newest commit of the default branch, whose submodules the place gets. */
  readonly base: string;
  /** A reason why the default branch may lag the branch that it follows; null: it does not. */
  readonly behind: string | null;
}

/** Brings files that a new worktree needs beside its commits. */
export async function supplyWorktree(
  context: CommandContext,
  place: Place,
  { base, behind }: Beginning,
): Promise<Supplies> {
  const { git, source, worktree, depot } = place;
  const supplied = await supply(git, { source, worktree, patterns: context.settings.project.copyFiles });
  const lacking = await fillSubmodules(git, { worktree, depot, commit: base });
  const { untrusted } = await trustOf(context);
  return suppliesOf(context, supplied, { lacking, behind, untrusted });
}

async function bringToBase(
  context: CommandContext,
  place: Place,
  { base, start, behind, saveAs }: Beginning & { readonly start: string; readonly saveAs: string },
): Promise<Success<'prepare'>> {
  const { clock, settings } = context;
  const { git, worktree, archive, worker, branch, source, depot } = place;
  // Before, in case an earlier try was cut off in between: a submodule that lags looks as if somebody had changed it.
  await fillSubmodules(git, { worktree, depot, commit: start });
  const outcome = await prepareForTask(git, {
    worktree,
    archive,
    worker,
    branch,
    source,
    base,
    start,
    copyFiles: settings.project.copyFiles,
    commits: 'set-aside',
    id: saveAs,
    now: clock.now(),
  });
  if (outcome.kind !== 'prepared') {
    const what = outcome.kind === 'not-clean' ? outcome.files.map(({ path }) => path).join(', ') : 'commits of its own';
    throw new CommandError(
      'worktree-not-clean',
      `Drover could not clear "${worktree}" (${what}): move these away yourself`,
    );
  }
  const { uncommitted, commits, inside, large } = outcome.setAside;
  const saved = [...uncommitted.map(({ ref }) => ref), ...commits, ...inside, ...large];
  const { head, supplies } = outcome;
  const lacking = await fillSubmodules(git, { worktree, depot, commit: head });
  return {
    kind: 'prepared',
    base,
    head,
    saved: saved.join(', ') || null,
    supplies: suppliesOf(context, supplies, { lacking, behind, untrusted: (await trustOf(context)).untrusted }),
  };
}
