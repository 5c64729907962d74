/** Two machines that carry commits of a run: on real git, without panes. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor, type HomeRequest, type Query, type QueryResult, type WorkerSettings } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { bringBase, depotOf, ensureWorktree } from '@drover/worktree';
import { depotPlaceOf } from '../../src/execute/depot-of.ts';
import { sendOfRun } from '../../src/execute/parcels.ts';
import { bringWork, keepMain, keepWork } from '../../src/execute/runs.ts';
import type { CommandContext } from '../../src/execute/tools.ts';
import { clonePlaceOf, openPlaceOf } from '../../src/execute/worktree-of.ts';
import { gitYard } from './git-yard.ts';

export const RUN = '0199aaaa-0000-7000-8000-00001234abcd';
const [HOME, AWAY] = [randomUUID(), randomUUID()];

/** Kinds of machines. */
interface Kind {
  readonly source: string;
  /** Asks the other machine. */
  readonly other: () => CommandContext;
  /** Changes a parcel that arrives. */
  readonly arrives?: (path: string) => void;
  /** Tells whether the machine isolates a worker. */
  readonly holds?: () => boolean;
}

type Pack = Extract<Query, { kind: 'pack' }>;

/** Makes a source, two machines of a project with a depot each, and a worker `alba` with a clone on the second. */
export async function runYard() {
  const { dir, stack, host, source, post, git, commit } = await gitYard('dbring-');

  const asked: Pack[] = [];
  function machine(
    name: string,
    { source: from, other, arrives = () => {}, holds = () => false }: Kind,
  ): CommandContext {
    const [spool, machineDir] = [join(dir, name, 'parcels'), join(dir, name)];
    mkdirSync(spool, { recursive: true });
    const project = { ...WORKER_SETTINGS.project, source: from, root: join(dir, name, 'root') };
    const settings: WorkerSettings = { ...WORKER_SETTINGS, name: 'alba', project };
    return {
      host,
      settings,
      machineDir,
      clock: { now: () => 1, after: () => () => {} },
      commandId: randomUUID(),
      signal: new AbortController().signal,
      redactor: new Redactor(),
      cages: { holds, wordsForLanding: () => Promise.resolve([]) },
      log: () => {},
      parcels: {
        spool,
        send: ({ path, sha256 }: { path: string; sha256: string }) => void copyFileSync(path, join(post, sha256)),
        fetch: ({ path, sha256 }: { path: string; sha256: string }) => {
          copyFileSync(join(post, sha256), path);
          arrives(path);
          return Promise.resolve();
        },
        async askHome({ ask }: HomeRequest) {
          if (ask.kind !== 'run') throw new Error(`${ask.kind} is not asked`);
          const query = { ...ask, kind: 'pack', maxBytes: 1e8, of: 'run' } as const;
          asked.push(query);
          const result = await sendOfRun(other(), query).catch((error: unknown): QueryResult => {
            const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
            return { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) };
          });
          return { machine: randomUUID(), name: 'the other', maxBytes: 1e8, result };
        },
      },
    } as unknown as CommandContext;
  }
  const faults: { arrives: (path: string) => void; isolates: boolean } = { arrives: () => {}, isolates: false };
  const home: CommandContext = machine('home', { source, other: () => away, arrives: (path) => faults.arrives(path) });
  const away: CommandContext = machine('away', { source, other: () => home, holds: () => faults.isolates });
  const bring = (to: CommandContext, ...commits: readonly string[]): Promise<QueryResult> =>
    bringWork(to, { kind: 'run-bring', run: RUN, request: `${RUN}:1`, machine: to === home ? AWAY : HOME, commits });
  const refsIn = async (at: CommandContext): Promise<string> =>
    git(depotOf(depotPlaceOf(at)), 'for-each-ref', '--format=%(refname)', 'refs/drover/runs', 'refs/drover/carried');
  const clone = async (): Promise<string> => {
    const place = openPlaceOf(away);
    await ensureWorktree(place.git, clonePlaceOf(place, await bringBase(place.git, place.depot), source));
    return place.worktree;
  };
  /** Keeps a commit of the worker there. */
  const pin = (head: string): Promise<QueryResult> =>
    keepWork(away, { kind: 'run-pin', run: RUN, request: `${RUN}:2`, commit: head, isCarried: true });
  const based = async (): Promise<string> => {
    const kept = await keepMain(home, { kind: 'run-base', run: RUN, request: `${RUN}:base`, also: [] });
    return kept.kind === 'run-pinned' ? kept.commit : '';
  };
  return {
    dir,
    source,
    home,
    away,
    asked,
    faults,
    git,
    commit,
    bring,
    refsIn,
    clone,
    pin,
    based,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
