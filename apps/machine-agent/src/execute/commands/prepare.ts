/** How does a worktree come to be, and how is it brought to the newest default branch? */
import type { Command, CommandResult, Supplies } from '@drover/core';
import {
  baseRef,
  carryIdentity,
  checkSource,
  cloneProject,
  ensureWorktree,
  fetchDefaultBranch,
  readWorktree,
  prepareForTask,
  supply,
} from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { suppliesOf } from '../supplies.ts';
import { HEAVY, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf, placeOf, type Place } from '../worktree-of.ts';

/** What the executor knows of `prepare`. */
export const PREPARE = {
  prepare: { ...HEAVY, needs: 'source', carryOut: prepare },
} satisfies KnownCommands;

/** Answers `prepared`; safe to repeat. @throws CommandError when something else is in the way. */
async function prepare(
  context: CommandContext,
  command: Extract<Command, { kind: 'prepare' }>,
): Promise<CommandResult> {
  const place = placeOf(context);
  await ensureClone(place);
  const base = await fetchDefaultBranch(place.git, place.repo, place.defaultBranch);
  // The source may name another person since. A worker's cage does not see what the machine says of them.
  await carryIdentity(openPlaceOf(context).git, { at: place.repo, source: place.source });
  const made = await ensureWorktreeOf(place);
  // A new one at the newest default branch is as a reset would make it.
  if (made.kind === 'created' && (!command.reset || made.head === base)) {
    return { kind: 'prepared', base, head: made.head, saved: null, supplies: await supplyWorktree(context, place) };
  }
  if (!command.reset) {
    const { head } = await readWorktree(place.git, { path: place.worktree, base });
    return { kind: 'prepared', base, head, saved: null, supplies: undefined };
  }
  return bringToBase(context, place, { base, saveAs: command.saveAs });
}

/** Clones that are being made, by their place: workers that are added together share one. */
const CLONING = new Map<string, Promise<void>>();

/** Makes the project's clone, once at a time: a second try beside the first would take its half-made clone away. */
export async function ensureClone(place: Place): Promise<void> {
  const begun = CLONING.get(place.repo) ?? makeClone(place);
  CLONING.set(place.repo, begun);
  try {
    await begun;
  } finally {
    if (CLONING.get(place.repo) === begun) CLONING.delete(place.repo);
  }
}

/** The project's clone; a source that cannot serve is told in words that say what to do. */
async function makeClone({ git, repo, source, defaultBranch }: Place): Promise<void> {
  // Drover's own depot, which has what the machine with the repository has, is no place in which people work.
  if (git.refreshOrigin !== undefined) await git.refreshOrigin();
  else if ((await git.files.stat(`${repo}/.git`)) === undefined) {
    const check = await checkSource(git, source, { defaultBranch });
    if (check.kind !== 'ok' && check.kind !== 'dirty') throw new CommandError(`source-${check.kind}`, check.message);
  }
  const cloned = await cloneProject(git, { source, target: repo, defaultBranch });
  if (cloned.kind === 'occupied') throw new CommandError('clone-occupied', cloned.message);
}

/** Makes the worktree exist, on its branch. @throws CommandError `worktree-occupied`. */
export async function ensureWorktreeOf({
  git,
  repo,
  worktree: path,
  branch,
  defaultBranch,
}: Place): Promise<{ readonly kind: 'created' | 'exists'; readonly head: string }> {
  const made = await ensureWorktree(git, { repo, path, branch, base: baseRef(defaultBranch) });
  if (made.kind === 'occupied' || made.kind === 'branch-elsewhere') {
    throw new CommandError('worktree-occupied', made.message);
  }
  return made;
}

/** Brings what a new worktree needs beside its commits. */
export async function supplyWorktree(context: CommandContext, place: Place): Promise<Supplies> {
  const { git, source, worktree } = place;
  return suppliesOf(context, await supply(git, { source, worktree, patterns: context.seat.project.copyFiles }));
}

async function bringToBase(
  context: CommandContext,
  place: Place,
  { base, saveAs }: { readonly base: string; readonly saveAs: string },
): Promise<CommandResult> {
  const { clock, seat } = context;
  const { git, worktree, worker, branch, source } = place;
  const outcome = await prepareForTask(git, {
    worktree,
    worker,
    branch,
    source,
    base,
    copyFiles: seat.project.copyFiles,
    commits: 'set-aside',
    id: saveAs,
    now: clock.now(),
  });
  if (outcome.kind !== 'prepared') {
    const what = outcome.kind === 'not-clean' ? outcome.files.map(({ path }) => path).join(', ') : 'commits of its own';
    throw new CommandError(
      'worktree-not-clean',
      `"${worktree}" could not be cleared (${what}): move these away yourself`,
    );
  }
  const { uncommitted, commits } = outcome.setAside;
  const saved = [...uncommitted.map(({ ref }) => ref), ...commits];
  const { head, supplies } = outcome;
  return {
    kind: 'prepared',
    base: head,
    head,
    saved: saved.join(', ') || null,
    supplies: suppliesOf(context, supplies),
  };
}
