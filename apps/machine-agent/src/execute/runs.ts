/** Keeps, joins, checks and merges the commits of runs in the depot of the project. Each is safe to repeat. */
import { type Query, type QueryResult, TIPS_MAX } from '@drover/protocol';
import {
  candidateOfRun,
  checkpoint,
  forgetRun,
  joinRun,
  lackedByRun,
  pinAlsoForRun,
  pinForRun,
  pinHead,
  pinMainForRun,
  pinSavedForRun,
  publish,
  takeForRun,
} from '@drover/worktree';
import { CommandError } from '../failure.ts';
import { follow } from './base/follow.ts';
import { bring } from './bring/bring.ts';
import { checksOf, type RequiredChecks } from './checks/required.ts';
import { listPaths } from './commands/dirty.ts';
import { offerCommit } from './commands/offer.ts';
import { bringProject } from './commands/prepare.ts';
import { checkInLanding } from './commands/validate.ts';
import { depotPlaceOf } from './depot-of.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf, placeOf } from './worktree-of.ts';

type Asked<K extends Query['kind']> = Extract<Query, { kind: K }>;

/** Characters of an output that a run gets: its last lines. */
const OUTPUT_CHARS_MAX = 4_000;
/** Files that are named of a conflict at most. */
const FILES_MAX = 100;
/** Times that the default branch may move between a candidate and its publication. */
const MOVES_MAX = 5;
/** Owner of the branches that hand work of runs over, and the last characters of a run's id, by which people call it. */
const OFFERED_BY = 'run';
const RUN_CHARS = 8;

export async function keepMain(context: CommandContext, { run, also }: Asked<'run-base'>): Promise<QueryResult> {
  await follow(context);
  await bringProject(context);
  if (also.length > 0) await pinAlsoForRun(openPlaceOf(context).git, depotPlaceOf(context), { run, commits: also });
  return { kind: 'run-pinned', ...(await pinMainForRun(openPlaceOf(context).git, depotPlaceOf(context), run)) };
}

/**
 * Keeps the commit that a worker's result is on, or what its worktree holds when its time is over. @throws CommandError `isolated` if another
 * machine is to bring it.
 */
export async function keepWork(
  context: CommandContext,
  { run, commit, request, isCarried }: Asked<'run-pin'>,
): Promise<QueryResult> {
  if (isCarried) refuseIsolated(context);
  const { git, worktree: clone, worker, archive } = placeOf(context);
  const open = openPlaceOf(context).git;
  const place = depotPlaceOf(context);
  if (commit !== null) {
    const pinned = await pinForRun(open, place, { run, worker, clone, head: commit });
    return { kind: 'run-pinned', ...pinned };
  }
  const { head } = await pinHead(git, clone);
  const id = `run-${request.replaceAll(/[^\w-]/gu, '-')}`.slice(0, 64);
  const saved = await checkpoint(git, {
    worktree: clone,
    archive,
    worker,
    id,
    reason: 'stage_complete',
    why: 'the time of its stage was over',
    now: context.clock.now(),
  });
  const work = { run, worker, clone, head };
  if (saved.commit === null || saved.dirty === 0)
    return { kind: 'run-pinned', ...(await pinForRun(open, place, work)) };
  const message = `Unfinished work of ${worker}`;
  const pinned = await pinSavedForRun(open, place, { ...work, archive, saved: saved.commit, message });
  return { kind: 'run-pinned', ...pinned };
}

/**
 * Brings commits of a run from the machine that keeps them, unless they are here. The settings have the profile of a worker that is to build on
 * them. @throws CommandError with advice.
 */
export async function bringWork(context: CommandContext, { run, commits }: Asked<'run-bring'>): Promise<QueryResult> {
  refuseIsolated(context);
  const { git } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  for (const commit of commits) {
    // A commit may have come with the one before it.
    const lacked = await lackedNow(context, { run, commit });
    if (lacked === null) continue;
    const why = await bring(
      {
        context,
        signal: context.signal,
        commit,
        ask: (wanted) => ({ kind: 'run', commit, ...wanted }),
        take: (arrived) => takeForRun(git, place, { run, ...arrived }),
      },
      { not: lacked.not, resend: false },
    );
    if (why !== null) throw new CommandError('not-carried', `The commits of the run do not come here: ${why}`);
  }
  const [first] = await pinAlsoForRun(git, place, { run, commits });
  return first === undefined
    ? { kind: 'failed', code: 'not-carried', message: 'Nothing was asked for' }
    : { kind: 'run-pinned', ...first };
}

/** Refuses work of an isolated profile: the other machine would run its checks outside of a cage. @throws CommandError `isolated`. */
function refuseIsolated({ cages, settings: { profile } }: CommandContext): void {
  if (cages.holds({ profile }))
    throw new CommandError(
      'isolated',
      `Work of the profile "${profile}" stays on its machine, which isolates it: another one would run its checks outside of a cage. Add a worker with another profile, or one on the machine that has the commits of the run`,
    );
}

/** Gets what the remote has before the first commit of a run, so that no parcel holds it. */
async function lackedNow(
  context: CommandContext,
  { run, commit }: { readonly run: string; readonly commit: string },
): ReturnType<typeof lackedByRun> {
  const { git } = openPlaceOf(context);
  const lacked = (): ReturnType<typeof lackedByRun> =>
    lackedByRun(git, depotPlaceOf(context), { run, commit, limit: TIPS_MAX });
  const before = await lacked();
  if (before?.isFirst !== true) return before;
  // The commits come from the other machine, also while the remote cannot be reached.
  await bringProject(context).catch((error: unknown) =>
    context.log('warn', `Could not fetch "${context.settings.project.defaultBranch}" for a run: ${String(error)}`),
  );
  return lacked();
}

export async function joinWork(context: CommandContext, { run, base, parts }: Asked<'run-join'>): Promise<QueryResult> {
  const joined = await joinRun(openPlaceOf(context).git, depotPlaceOf(context), { run, base, parts });
  if (joined.kind === 'conflict') return { ...joined, kind: 'run-conflict', files: joined.files.slice(0, FILES_MAX) };
  return { ...joined, kind: 'run-joined' };
}

/** Runs the checks that the worker settings name. A failure of joined work is traced to the first part that brings it. */
export async function checkWork(given: CommandContext, query: Asked<'run-check'>): Promise<QueryResult> {
  const context = isolatedFor(given, query.profiles);
  const checks = await checksOf(context);
  const ended = await check(context, checks, query.commit);
  if (ended.passed) return { kind: 'run-checked', ...ended, culprit: null };
  return { kind: 'run-checked', ...ended, culprit: await culpritOf(context, checks, query) };
}

/** Uses the cage of any isolated author: joined work is trusted no more than its least trusted part. */
function isolatedFor(context: CommandContext, profiles: readonly string[]): CommandContext {
  const { cages, settings } = context;
  const profile = [settings.profile, ...profiles].find((name) => cages.holds({ profile: name }));
  return profile === undefined ? context : { ...context, settings: { ...settings, profile } };
}

interface Ended {
  readonly passed: boolean;
  readonly output: string;
}

async function check(context: CommandContext, checks: RequiredChecks, head: string): Promise<Ended> {
  const outcome = await checkInLanding(context, { at: { head, tree: null }, checks });
  switch (outcome.kind) {
    case 'valid':
      return { passed: true, output: '' };
    case 'invalid':
      return { passed: false, output: `$ ${outcome.command}\n${outcome.output}`.slice(-OUTPUT_CHARS_MAX) };
    case 'changed':
      return { passed: false, output: outcome.why.slice(-OUTPUT_CHARS_MAX) };
    default:
      return outcome satisfies never;
  }
}

/** Halves the parts until it has the shortest beginning that fails. Null: the base fails by itself, or nothing was joined. */
async function culpritOf(
  context: CommandContext,
  checks: RequiredChecks,
  { run, base, parts }: Asked<'run-check'>,
): Promise<string | null> {
  if (base === null || parts.length === 0) return null;
  const failsWith = async (count: number): Promise<boolean> => {
    const request = { run, base, parts: parts.slice(0, count) };
    const joined = await joinRun(openPlaceOf(context).git, depotPlaceOf(context), request);
    return joined.kind === 'joined' && !(await check(context, checks, joined.commit)).passed;
  };
  if (await failsWith(0)) return null;
  let [good, bad] = [0, parts.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await failsWith(middle)) bad = middle;
    else good = middle;
  }
  return parts[bad - 1]?.item ?? null;
}

/**
 * Merges a commit as an accept does: one commit on the newest default branch, checked, then published in one compare-and-swap, or handed over
 * as a branch where the project says so.
 */
export async function landWork(context: CommandContext, query: Asked<'run-land'>): Promise<QueryResult> {
  for (let moves = 0; moves < MOVES_MAX; moves += 1) {
    const landed = await tryToLand(isolatedFor(context, query.profiles), query);
    if (landed !== null) return landed;
  }
  return notLanded('the default branch moved each time before the work was published: accept it again');
}

async function tryToLand(
  context: CommandContext,
  { run, commit: head, began }: Asked<'run-land'>,
): Promise<QueryResult | null> {
  const { git, worker, archive, defaultBranch } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  await follow(context);
  const made = await candidateOfRun(git, place, { run, began, commit: head });
  if (made.kind === 'contained') return landed(made.base);
  if (made.kind === 'rewritten')
    return notLanded(
      `"${defaultBranch}" was rewritten, and the work still holds what was dropped from it (${made.dropped})`,
    );
  if (made.kind === 'clash')
    return notLanded(
      `it conflicts with the newest "${defaultBranch}" in ${listPaths(made.files.map((path) => ({ path })))}`,
    );
  const { base, commit, tree } = made;
  const checked = await checkInLanding(context, { at: { head: commit, tree }, checks: await checksOf(context) });
  if (checked.kind === 'invalid')
    return notLanded(
      `merged with the newest "${defaultBranch}" it fails the check "${checked.command}":\n${checked.output.slice(-OUTPUT_CHARS_MAX)}`,
    );
  if (checked.kind === 'changed') return notLanded(checked.why);
  if (context.settings.project.publish === 'branch') return offerRun(context, { run, head, base, commit });
  const content = { archive, sha256Of: context.host.sha256 };
  const outcome = await publish(git, place, { worker, base, commit, content });
  switch (outcome.kind) {
    case 'published':
      return landed(commit);
    case 'moved':
      return null;
    case 'blocked':
      return notLanded(
        `"${outcome.path}" has changes that would be overwritten (${listPaths(outcome.files.map((path) => ({ path })))}): commit or stash them`,
      );
    case 'lacking':
      return notLanded(outcome.why);
    case 'refused':
      return notLanded(`the remote refused it: ${outcome.words}`);
    default:
      return outcome satisfies never;
  }
}

interface CheckedCandidate {
  readonly run: string;
  readonly head: string;
  readonly base: string;
  readonly commit: string;
}

/** Offers the checked candidate as a branch: the project's default branch is moved by people alone. */
async function offerRun(context: CommandContext, { run, ...candidate }: CheckedCandidate): Promise<QueryResult> {
  const offering = { worker: OFFERED_BY, task: run.slice(-RUN_CHARS), ...candidate };
  const outcome = await offerCommit(context, offering);
  switch (outcome.kind) {
    case 'offered':
      return { kind: 'run-landed', commit: outcome.commit, offered: { branch: outcome.branch, why: outcome.why } };
    case 'published':
      return landed(outcome.commit);
    case 'blocked':
      return notLanded(outcome.why);
    case 'rejected':
      return notLanded(`the remote refused it: ${outcome.words}`);
    default:
      return outcome satisfies never;
  }
}

function landed(commit: string): QueryResult {
  return { kind: 'run-landed', commit, offered: null };
}

function notLanded(text: string): QueryResult {
  return { kind: 'run-not-landed', text };
}

export async function letGo(context: CommandContext, { run }: Asked<'run-forget'>): Promise<QueryResult> {
  await forgetRun(openPlaceOf(context).git, depotPlaceOf(context), run);
  return { kind: 'run-forgotten' };
}
