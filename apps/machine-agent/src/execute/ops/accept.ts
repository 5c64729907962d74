/** How is finished work brought into the default branch, and its seat cleared? Each step may be repeated. */
import { rm } from 'node:fs/promises';
import type { Op, OpResult } from '@drover/core';
import {
  acceptFastForward,
  finishEarlier,
  acceptRebase,
  acceptSquash,
  acceptValidate,
  baseRef,
  collectGarbage,
  conflictPrompt,
  fetchDefaultBranch,
  look,
  readConflicts,
  recycle as recycleWorktree,
  removeWorktree,
  type RecycleOutcome,
  type RemoveOutcome,
  pruneTrash,
} from '@drover/worktree';
import { OrderError } from '../../failure.ts';
import { hookFiles, removeHooks } from '../../signals/hooks.ts';
import { serviceFile } from '../../signals/service.ts';
import type { OrderContext } from '../tools.ts';
import { placeOf, type Place } from '../worktree-of.ts';

/** Puts the branch on the newest default branch; conflicts are left standing for the worker. */
export async function rebase(context: OrderContext): Promise<OpResult> {
  const place = placeOf(context);
  const { git, worktree, worker, defaultBranch } = place;
  const before = await headOf(place);
  const request = { worktree, worker, defaultBranch, id: context.commandId, now: context.clock.now() };
  const outcome = await acceptRebase(git, request);
  switch (outcome.kind) {
    case 'ready':
      return { kind: 'rebased', base: outcome.base, head: outcome.head, moved: outcome.head !== before };
    case 'nothing-to-accept': {
      const head = await headOf(place);
      return { kind: 'rebased', base: outcome.base, head, moved: head !== before };
    }
    case 'conflict':
      return conflicted(context, place);
    case 'dirty':
      throw dirty(place, outcome.files);
    case 'interrupted':
      throw new OrderError('rebase-interrupted', `A rebase stands in "${worktree}" and cannot be given up`);
    default:
      return outcome satisfies never;
  }
}

async function conflicted({ seat }: OrderContext, { git, worktree, branch, defaultBranch }: Place): Promise<OpResult> {
  const conflicts = await readConflicts(git, worktree);
  if (conflicts === undefined) {
    throw new OrderError('conflict-vanished', `The conflicts in "${worktree}" are gone already`, { retry: true });
  }
  const validate = seat.project.validate.map((words) => words.join(' '));
  const prompt = conflictPrompt({ defaultBranch, branch, conflicts, validate });
  return { kind: 'conflict', files: conflicts.files.map(({ path }) => path), prompt };
}

/** Runs the project's own checks in the worktree. */
export async function validateWork(context: OrderContext): Promise<OpResult> {
  const { git, worktree } = placeOf(context);
  const { results, kind } = await acceptValidate(git, {
    worktree,
    commands: context.seat.project.validate,
    timeoutMs: context.seat.project.validateTimeoutMs,
  });
  if (kind === 'passed') return { kind: 'valid' };
  const last = results.at(-1);
  const how = last?.timedOut === true ? 'It did not end in time.\n' : '';
  return { kind: 'invalid', command: last?.command ?? '', output: `${how}${last?.output ?? ''}` };
}

/** Makes one commit of the work; its message loses what agents add to it. */
export async function squash(context: OrderContext, { base }: Extract<Op, { kind: 'squash' }>): Promise<OpResult> {
  const place = placeOf(context);
  const { git, worktree, worker } = place;
  const outcome = await acceptSquash(git, { worktree, worker, base, now: context.clock.now() });
  switch (outcome.kind) {
    case 'squashed':
    case 'already':
      return { kind: 'squashed', commit: outcome.commit, expected: base };
    case 'nothing-to-accept':
      if (outcome.trash !== undefined) context.log('info', `The commits change nothing: kept as ${outcome.trash}`);
      // It may be merged already, by an order that could not bring the files of the source along.
      await finishEarlier(git, { source: place.source, defaultBranch: place.defaultBranch });
      return { kind: 'nothing-to-merge' };
    case 'dirty':
      throw dirty(place, outcome.files);
    case 'not-rebased':
      throw new OrderError('not-rebased', `The work in "${worktree}" does not stand on ${base}: rebase it first`);
    case 'wrong-branch':
      throw new OrderError('wrong-branch', `"${worktree}" does not have "${place.branch}" checked out`);
    default:
      return outcome satisfies never;
  }
}

/** Moves the default branch of the source to the work, if it still stands where it is expected. */
export async function fastForward(
  context: OrderContext,
  { expected, commit }: Extract<Op, { kind: 'fast-forward' }>,
): Promise<OpResult> {
  const { git, worktree, worker, source, defaultBranch } = placeOf(context);
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
    case 'not-fast-forward':
      throw new OrderError('not-fast-forward', `${commit} does not stand on ${expected}: rebase it first`);
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
export async function recycle(context: OrderContext, { commit }: Extract<Op, { kind: 'recycle' }>): Promise<OpResult> {
  const place = placeOf(context);
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
  throw new OrderError('not-recycled', whyNotRecycled(outcome, place));
}

/** What was removed 14 days ago is not kept any longer. Failing at that fails nothing. */
async function tidyUp({ clock, log }: OrderContext, { git, repo }: Place): Promise<void> {
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
export async function remove(context: OrderContext, { force }: Extract<Op, { kind: 'remove' }>): Promise<OpResult> {
  const { git, repo, worktree: path, worker, defaultBranch } = placeOf(context);
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

async function removed(context: OrderContext, trash: readonly string[]): Promise<OpResult> {
  const { seat, book, profiles, dataDir } = context;
  const found = profiles.find(seat.profile);
  if (found !== undefined) await removeHooks(hookFiles(dataDir, seat.workerId, found.profile));
  await rm(serviceFile(dataDir, seat.workerId), { force: true });
  book.forgetSeat(seat.workerId);
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

async function headOf({ git, worktree }: Place): Promise<string> {
  return (await look(git, { path: worktree, base: 'HEAD' })).head;
}

function dirty({ worktree }: Place, files: readonly { readonly path: string }[]): OrderError {
  const what = `"${worktree}" has changes that are not committed: ${list(files.map(({ path }) => path))}`;
  return new OrderError('worktree-dirty', `${what}. Have them committed or taken back first`);
}

function list(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).join(', ');
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown;
}
