/** How is finished work brought into the default branch, and its seat cleared? Each step may be repeated. */
import { rm } from 'node:fs/promises';
import type { Command, CommandResult } from '@drover/core';
import {
  acceptFastForward,
  finishEarlier,
  acceptSquash,
  acceptValidate,
  baseRef,
  collectGarbage,
  fetchDefaultBranch,
  checkPinned,
  pinHead,
  recycle as recycleWorktree,
  removeWorktree,
  type RecycleOutcome,
  type Git,
  type RemoveOutcome,
  pruneTrash,
  treeOf,
  whatChanged,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { gitFor } from '../../host/git-ports.ts';
import { hookFiles, removeHooks } from '../../signals/hooks.ts';
import { serviceFile } from '../../signals/service.ts';
import { checksOf } from '../checks.ts';
import type { CommandContext } from '../tools.ts';
import { inView, openPlaceOf, placeOf, removablePlaceOf, type Place } from '../worktree-of.ts';

/** Runs the project's own checks in the worktree: on exactly this, which is still there, unchanged, when they have run. */
export async function validateWork(
  context: CommandContext,
  { at }: Extract<Command, { kind: 'validate' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, worktree, worker } = place;
  const before = await checkPinned(git, { worktree, worker, pin: at });
  if (before.kind === 'changed') return before;
  if (before.changes.length > 0) throw dirty(place, before.changes);
  const { commands, timeoutMs } = await checksOf(context);
  const { results, kind } = await acceptValidate(await gitOfWorker(context), { worktree, commands, timeoutMs });
  const { head, tree } = before;
  if (kind === 'passed') {
    const after = await checkPinned(git, { worktree, worker, pin: { head, tree } });
    if (after.kind === 'changed') return { ...after, why: `while its checks ran, ${after.why}` };
    return after.changes.length > 0 ? changedByChecks(head, after.changes) : { kind: 'valid', head, tree };
  }
  const last = results.at(-1);
  const how = last?.timedOut === true ? 'It did not end in time.\n' : '';
  const { output = '', cut = false } = last ?? {};
  const clean = context.redactor.cutText(output, { start: cut, end: cut });
  return { kind: 'invalid', command: last?.command ?? '', output: `${how}${clean}` };
}

function changedByChecks(head: string, files: readonly { readonly path: string }[]): CommandResult {
  const what = list(files.map(({ path }) => path));
  const why = `while its checks ran, files changed (${what}): have them taken back, and the checks leave them alone or git ignore them`;
  return { kind: 'changed', head, why };
}

/** What runs the worker's own code: within its cage if it has one, and with its rights at the coordinator, which are none. */
async function gitOfWorker(context: CommandContext): Promise<Git> {
  const { host, cages, seat, signal } = context;
  const words = await cages.wordsFor(seat);
  const marked = [...words, 'env', `DROVER_WORKER=${seat.name}`];
  return gitFor(
    inView(host, () => Promise.resolve(marked)),
    seat,
    signal,
  );
}

/** Makes one commit, with the same tree, of exactly this; its message loses what agents add to it. */
export async function squash(
  context: CommandContext,
  { base, at }: Extract<Command, { kind: 'squash' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  const { git, worktree, worker } = place;
  const outcome = await acceptSquash(git, { worktree, worker, base, head: at.head, now: context.clock.now() });
  switch (outcome.kind) {
    case 'squashed':
    case 'already':
      return {
        kind: 'squashed',
        commit: outcome.commit,
        tree: await treeOf(git, worktree, outcome.commit),
        expected: base,
      };
    case 'changed':
      return changed(place, { from: at.head, to: outcome.tip });
    case 'nothing-to-accept':
      if (outcome.trash !== undefined) context.log('info', `The commits change nothing: kept as ${outcome.trash}`);
      // It may be merged already, by a command that could not bring the files of the source along.
      await finishEarlier(openPlaceOf(context).git, { source: place.source, defaultBranch: place.defaultBranch });
      return { kind: 'nothing-to-merge' };
    case 'dirty':
      throw dirty(place, outcome.files);
    case 'not-rebased':
      throw new CommandError('not-rebased', `The work in "${worktree}" does not stand on ${base}: rebase it first`);
    case 'wrong-branch':
      throw new CommandError('wrong-branch', `"${worktree}" does not have "${place.branch}" checked out`);
    default:
      return outcome satisfies never;
  }
}

/** Moves the default branch of the source to the work, if it still stands where it is expected. */
export async function fastForward(
  context: CommandContext,
  { expected, commit }: Extract<Command, { kind: 'fast-forward' }>,
): Promise<CommandResult> {
  const place = openPlaceOf(context);
  const { git, worktree, worker, source, defaultBranch } = place;
  const outcome = await acceptFastForward(git, { worktree, worker, source, defaultBranch, expected, commit });
  switch (outcome.kind) {
    case 'advanced':
    case 'already':
      if (outcome.checkout.kind === 'left') {
        context.log('warn', `Merged, but changed files in "${outcome.checkout.path}" were left as they were`);
      }
      return { kind: 'merged', commit };
    case 'moved':
      return { kind: 'moved', now: outcome.actual ?? '' };
    case 'changed':
      return changed(place, { from: commit, to: outcome.tip });
    case 'not-fast-forward':
      throw new CommandError('not-fast-forward', `${commit} does not stand on ${expected}: rebase it first`);
    case 'source-dirty':
      return {
        kind: 'blocked',
        why: `"${outcome.path}" has changes that would be overwritten (${list(outcome.files)}): commit or stash them`,
      };
    default:
      return outcome satisfies never;
  }
}

/** After proof that the work is merged: a fresh worktree. Needs no session. */
export async function recycle(
  context: CommandContext,
  { commit }: Extract<Command, { kind: 'recycle' }>,
): Promise<CommandResult> {
  const place = removablePlaceOf(context);
  const { git, repo, worktree, worker, source, defaultBranch } = place;
  const outcome = await recycleWorktree(git, {
    repo,
    worktree,
    worker,
    source,
    defaultBranch,
    commit,
    keepDirectory: false,
  });
  if (outcome.kind === 'recycled') {
    await tidyUp(context, place);
    return { kind: 'recycled', base: outcome.head };
  }
  if (outcome.kind === 'kept' && outcome.because.kind === 'not-merged' && outcome.because.ahead > 0)
    return changed(place, { from: commit, to: (await pinHead(git, worktree)).head });
  throw new CommandError('not-recycled', whyNotRecycled(outcome, place));
}

/** What was removed 14 days ago is not kept any longer. Failing at that fails nothing. */
async function tidyUp({ clock, log }: CommandContext, { git, repo }: Place): Promise<void> {
  try {
    const dropped = await pruneTrash(git, { repo, now: clock.now() });
    for (const ref of dropped) log('info', `Dropped ${ref}: it was removed more than 14 days ago`);
    await collectGarbage(git, { repo });
  } catch (error) {
    log('warn', `"${repo}" could not be tidied up: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function whyNotRecycled(
  outcome: Exclude<RecycleOutcome, { kind: 'recycled' }>,
  { worktree, defaultBranch }: Place,
): string {
  switch (outcome.kind) {
    case 'not-merged':
      return `${outcome.commit} is not in "${defaultBranch}": "${worktree}" was kept`;
    case 'kept':
      return `"${worktree}" was kept: ${whyNotRemoved(outcome.because) ?? 'it could not be removed'}`;
    case 'blocked':
      return outcome.message;
    default:
      return outcome satisfies never;
  }
}

/** Removes worktree and branch. Forced, their work is kept under trash refs for 14 days. */
export async function remove(
  context: CommandContext,
  { force }: Extract<Command, { kind: 'remove' }>,
): Promise<CommandResult> {
  const { git, repo, worktree: path, worker, defaultBranch } = removablePlaceOf(context);
  const { commandId, clock } = context;
  if ((await git.files.stat(`${repo}/.git`)) === undefined) return removed(context, []);
  // Old news of the default branch can only make fewer commits count as merged, so a source that is away is no reason to fail.
  await fetchDefaultBranch(git, repo, defaultBranch).catch((error: unknown) => {
    context.log('warn', `Could not fetch "${defaultBranch}" before removing "${worker}": ${String(error)}`);
  });
  const request = { repo, path, worker, base: baseRef(defaultBranch) };
  const outcome = await removeWorktree(
    git,
    force ? { ...request, force: { id: commandId, now: clock.now() } } : request,
  );
  const whyNot = whyNotRemoved(outcome);
  if (whyNot !== null) return { kind: 'not-removed', why: whyNot };
  return removed(context, outcome.kind === 'removed' ? outcome.trash : []);
}

async function removed(context: CommandContext, trash: readonly string[]): Promise<CommandResult> {
  const { seat, knownWorkers, profiles, dataDir } = context;
  const found = profiles.find(seat.profile);
  if (found !== undefined) await removeHooks(hookFiles(dataDir, seat.workerId, found.profile));
  await rm(serviceFile(dataDir, seat.workerId), { force: true });
  await context.cages.forget(seat.workerId);
  knownWorkers.forgetWorker(seat.workerId);
  return { kind: 'removed', kept: trash.join(', ') || null };
}

function whyNotRemoved(outcome: RemoveOutcome): string | null {
  switch (outcome.kind) {
    case 'removed':
    case 'absent':
      return null;
    case 'not-merged':
      return `${outcome.ahead} commit(s) are not merged and ${outcome.changed} file(s) are not committed`;
    case 'unreadable':
      return outcome.message;
    default:
      return outcome satisfies never;
  }
}

/** The branch is not at what the command names. */
async function changed(
  { git, worktree, worker }: Place,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<CommandResult> {
  return { kind: 'changed', head: to, why: await whatChanged(git, worktree, { worker, from, to }) };
}

/** Drover cannot tell which of these changes belong to the work. */
export function dirty({ worktree }: Place, files: readonly { readonly path: string }[]): CommandError {
  const what = `"${worktree}" has changes that are not committed: ${list(files.map(({ path }) => path))}`;
  return new CommandError('worktree-dirty', `${what}. Have them committed or taken back first`);
}

function list(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).join(', ');
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown;
}
