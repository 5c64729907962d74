/** Keeps, joins, checks and merges commits of runs on a simulated machine. Outcomes are those of apps/machine-agent/src/execute/runs.ts. */
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';
import { droppedFrom, worksShown } from '@drover/testkit';
import type { SimGit } from '@drover/testkit';
import type { RunningCommand } from '@drover/machine-agent/testing';
import { askThere } from '../elsewhere.ts';
import type { Tools } from '../tools.ts';

type RunQuery = Extract<Query, { readonly run: string }>;
type Asked<K extends RunQuery['kind']> = Extract<RunQuery, { readonly kind: K }>;

export function isOfRun(query: Query): query is RunQuery {
  return 'run' in query;
}

/** The parts that an answer needs. */
interface Asking {
  readonly tools: Tools;
  readonly settings: WorkerSettings;
  readonly git: SimGit;
}

/** Answers a query of a run; the process may die before and after it. */
export async function answerForRun(tools: Tools, running: RunningCommand, query: RunQuery): Promise<QueryResult> {
  const { settings } = running;
  const { machine, mayDie, agentProcess } = tools;
  const { random, luck, clones } = machine.parts;
  await agentProcess.sleep(random.int(10, 800));
  await mayDie();
  if (random.chance(luck.git.failing)) return { kind: 'failed', code: 'disk-full', message: 'no space left on device' };
  const asking = { tools, settings, git: clones.of(settings.project.id) };
  const answer = query.kind === 'run-bring' ? await bring(asking, running, query) : carryOut(asking, query);
  await mayDie();
  return answer;
}

/** Brings commits from the machine that keeps them, each in a parcel of its own. */
async function bring(
  { tools, git }: Asking,
  running: RunningCommand,
  { run, commits }: Asked<'run-bring'>,
): Promise<QueryResult> {
  const { parcels, luck, random } = tools.machine.parts;
  const [first = ''] = commits;
  try {
    for (const commit of commits) {
      if (git.pins.get(run)?.has(commit) === true) continue;
      const packed = await askThere({ ...tools, running }, { kind: 'run', commit, not: [], resend: false });
      if (packed.kind !== 'packed') return packed;
      await tools.mayDie();
      const parcel = random.chance(luck.parcel) ? null : parcels.fetch(packed.sha256);
      if (parcel?.kind !== 'work' || parcel.commit !== commit)
        return { kind: 'failed', code: 'parcel-damaged', message: 'the parcel is damaged' };
      keep(git, run, commit);
    }
    return { kind: 'run-pinned', commit: first, tree: git.treeOf(first) };
  } catch (error) {
    running.signal.throwIfAborted();
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not-carried';
    return { kind: 'failed', code, message: String(error) };
  }
}

function carryOut(asking: Asking, query: Exclude<RunQuery, { kind: 'run-bring' }>): QueryResult {
  const { git } = asking;
  switch (query.kind) {
    case 'run-base':
      for (const commit of query.also) keep(git, query.run, commit);
      return pinned(git, query.run, git.tip);
    case 'run-pin':
      return keepWork(asking, query);
    case 'run-join':
      return join(asking, query);
    case 'run-check':
      return check(asking, query);
    case 'run-land':
      return land(asking, query);
    case 'run-forget':
      git.pins.delete(query.run);
      return { kind: 'run-forgotten' };
    default:
      return query satisfies never;
  }
}

function keep(git: SimGit, run: string, commit: string): void {
  const commits = git.pins.get(run) ?? new Set();
  git.pins.set(run, commits.add(commit));
}

function pinned(git: SimGit, run: string, commit: string): QueryResult {
  keep(git, run, commit);
  return { kind: 'run-pinned', commit, tree: git.treeOf(commit) };
}

/** Keeps a commit, or what the worktree holds; work that is not committed becomes a commit. */
function keepWork({ settings, git }: Asking, { run, commit }: Asked<'run-pin'>): QueryResult {
  const tree = git.worktrees.get(settings.workerId);
  if (commit !== null) return pinned(git, run, commit);
  if (tree === undefined) return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing' };
  return pinned(git, run, tree.dirty.length === 0 ? tree.head : git.commitOnce(tree.head, tree.dirty));
}

/** Lists works of commits that `base` lacks, each once. */
function beyond(git: SimGit, base: string, commits: readonly string[]): readonly string[] {
  const known = new Set(git.worksAt(base));
  return [...new Set(commits.flatMap((commit) => git.worksAt(commit)))].filter((work) => !known.has(work));
}

function join({ tools, git }: Asking, { run, base, parts }: Asked<'run-join'>): QueryResult {
  const { random, luck } = tools.machine.parts;
  const conflicts = parts.length > 1 && random.chance(luck.git.conflict);
  const joined = conflicts ? parts.slice(1) : parts;
  const works = beyond(
    git,
    base,
    joined.map(({ commit }) => commit),
  );
  const commit = works.length === 0 ? base : git.commitOnce(base, works);
  keep(git, run, commit);
  const tree = git.treeOf(commit);
  if (!conflicts) return { kind: 'run-joined', commit, tree };
  return { kind: 'run-conflict', items: parts.slice(0, 1).map(({ item }) => item), commit, tree, files: ['a.txt'] };
}

function check(asking: Asking, { run, commit }: Asked<'run-check'>): QueryResult {
  const passed = passes(asking, commit);
  asking.tools.machine.parts.watch.runs.checked({ run, commit, passed });
  return { kind: 'run-checked', passed, output: passed ? '' : 'one test failed', culprit: null };
}

function passes({ tools, git }: Asking, commit: string): boolean {
  const { random, luck } = tools.machine.parts;
  return !random.chance(luck.git.invalid) && !git.isBroken(commit);
}

/** Puts the work on the newest default branch, checks it there and publishes it. */
function land(asking: Asking, { run, commit: head, began }: Asked<'run-land'>): QueryResult {
  const { tools, settings, git } = asking;
  const { random, luck, watch } = tools.machine.parts;
  const base = git.tip;
  if (droppedFrom(git, { head, known: [began] }) !== null)
    return { kind: 'run-not-landed', text: '"main" was rewritten, and the work still holds what was dropped from it' };
  const works = worksShown(git, head);
  if (works.length === 0) return { kind: 'run-landed', commit: base, offered: null };
  if (!git.isAncestor(base, head) && random.chance(luck.git.conflict))
    return { kind: 'run-not-landed', text: 'it conflicts with the newest "main" in a.txt' };
  const commit = git.commitOnce(base, works);
  if (!passes(asking, commit)) return { kind: 'run-not-landed', text: 'merged with the newest "main" it fails' };
  if (git.sourceIsDirty) return { kind: 'run-not-landed', text: 'the source has changes that would be overwritten' };
  git.tip = commit;
  watch.runs.landed({ run, commit: head, projectId: settings.project.id, works });
  return { kind: 'run-landed', commit, offered: null };
}
