/** Commits of a run on their way between two machines: on real git, without panes. The parcels of others that arrived wrong are played. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { Redactor, type HomeRequest, type Query, type QueryResult, type WorkerSettings } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { bringBase, depotOf, ensureWorktree } from '@drover/worktree';
import { expect, test } from 'vitest';
import { depotPlaceOf } from '../../src/execute/depot-of.ts';
import { sendOfRun } from '../../src/execute/parcels.ts';
import { bringWork, keepMain, keepWork } from '../../src/execute/runs.ts';
import type { CommandContext } from '../../src/execute/tools.ts';
import { clonePlaceOf, openPlaceOf } from '../../src/execute/worktree-of.ts';
import { CommandError } from '../../src/failure.ts';

const TEST_MS = 120_000;
const RUN = '0199aaaa-0000-7000-8000-00001234abcd';
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
async function yard() {
  const dir = realpathSync(mkdtempSync(join(process.env['TEST_MEMORY_DIR'] ?? tmpdir(), 'dbring-')));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
  const host = createLocalHost({ env });
  writeFileSync(join(dir, '.gitconfig'), '[user]\nname = Ann\nemail = ann@example.com\n[init]\ndefaultBranch = main\n');
  const [source, post] = [join(dir, 'source'), join(dir, 'post')];
  for (const made of [source, post]) mkdirSync(made);
  const git = async (at: string, ...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await host.run('git', args, { cwd: at, timeoutMs: 30_000, outputBytesMax: 1e6 });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const commit = async (at: string, files: Readonly<Record<string, string>>, message: string): Promise<string> => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, name)), { recursive: true });
      writeFileSync(join(at, name), text);
    }
    await git(at, 'add', '-A');
    await git(at, 'commit', '-q', '-m', message);
    return git(at, 'rev-parse', 'HEAD');
  };
  await git(source, 'init', '-q');
  await commit(source, { 'a.txt': 'one\n' }, 'first');

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

test(
  'given a run that began on a newer commit than another machine has, when work goes there and back, then each machine keeps what it needs, and again costs no parcel',
  async () => {
    await using scene = await yard();
    const { home, away, source, asked } = scene;
    const worktree = await scene.clone();
    await scene.commit(source, { 'a.txt': 'two\n' }, 'second');
    const base = await scene.based();

    const there = await scene.bring(away, base);
    await scene.git(worktree, 'fetch', '-q', depotOf(depotPlaceOf(away)), base);
    await scene.git(worktree, 'reset', '-q', '--hard', base);
    const head = await scene.commit(worktree, { 'b.txt': 'bee\n' }, 'the work');
    await scene.pin(head);
    const back = await scene.bring(home, head);
    const again = [await scene.bring(home, head), await scene.bring(away, base)];

    expect(there).toMatchObject({ kind: 'run-pinned', commit: base });
    expect(back).toEqual({
      kind: 'run-pinned',
      commit: head,
      tree: await scene.git(worktree, 'rev-parse', 'HEAD^{tree}'),
    });
    expect(again).toEqual([back, there]);
    expect(asked).toHaveLength(2);
    const refs = [`refs/drover/runs/${RUN}/${base}`, `refs/drover/runs/${RUN}/${head}`].toSorted().join('\n');
    expect([await scene.refsIn(home), await scene.refsIn(away)]).toEqual([refs, refs]);
    for (const at of [home, away]) expect(readdirSync(at.parcels.spool)).toEqual([]);
  },
  TEST_MS,
);

test(
  'given a parcel that arrives damaged, or is cut off, when the commit is brought, then it is sent again, and nothing half is left',
  async () => {
    await using scene = await yard();
    const { home, faults } = scene;
    const head = await scene.commit(await scene.clone(), { 'b.txt': 'bee\n' }, 'the work');
    await scene.pin(head);
    let count = 0;
    faults.arrives = (path) => {
      count += 1;
      if (count === 1) writeFileSync(path, `${readFileSync(path, 'latin1').slice(0, -30)}${'0'.repeat(30)}`, 'latin1');
      if (count > 2) throw new CommandError('parcel-gone', 'The machine agent was killed');
    };

    const brought = await scene.bring(home, head);
    await expect(scene.bring(home, await other(scene))).rejects.toThrow('The machine agent was killed');
    const kept = await scene.refsIn(home);
    faults.arrives = () => {};
    const resumed = await scene.bring(home, await other(scene));

    expect(brought).toMatchObject({ kind: 'run-pinned', commit: head });
    expect(kept).toBe(`refs/drover/runs/${RUN}/${head}`);
    expect(resumed).toMatchObject({ kind: 'run-pinned' });
    expect(readdirSync(home.parcels.spool).filter((name) => !name.endsWith('.part'))).toEqual([]);
  },
  TEST_MS,
);

/** Makes one more commit on the other machine, or finds it. */
async function other(scene: Awaited<ReturnType<typeof yard>>): Promise<string> {
  const { worktree } = openPlaceOf(scene.away);
  const isMade = existsSync(join(worktree, 'c.txt'));
  const head = isMade
    ? await scene.git(worktree, 'rev-parse', 'HEAD')
    : await scene.commit(worktree, { 'c.txt': 'sea\n' }, 'more');
  await scene.pin(head);
  return head;
}

test(
  'given a commit that no run keeps there, content of Git LFS, or a source that lacks a part of its history, when the commit is asked for, then the refusal says what is wrong, and nothing comes',
  async () => {
    await using scene = await yard();
    const { home, away, source } = scene;
    const worktree = await scene.clone();
    const loose = await scene.commit(worktree, { 'b.txt': 'bee\n' }, 'kept by no run');
    await expect(scene.bring(home, loose)).rejects.toThrow(`The depot keeps no commit ${loose} for a run`);

    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'9'.repeat(64)}\nsize 6\n`;
    const large = await scene.commit(
      worktree,
      { '.gitattributes': '*.bin filter=lfs\n', 'large.bin': pointer },
      'large',
    );
    await scene.pin(large);
    await expect(scene.bring(home, large)).rejects.toThrow('Git LFS keeps the content of "large.bin" on this machine');

    writeFileSync(join(depotOf(depotPlaceOf(away)), 'shallow'), `${await scene.git(source, 'rev-parse', 'main')}\n`);
    await scene.git(worktree, 'reset', '-q', '--hard', loose);
    await scene.pin(loose);
    await expect(scene.bring(home, loose)).rejects.toThrow(/shallow|only a part of its history/u);
    expect(await scene.refsIn(home)).toBe('');
  },
  TEST_MS,
);

test(
  'given a worker that its machine isolates, when its commit is wanted by another machine, then it stays, and no commit comes on which it would build',
  async () => {
    await using scene = await yard();
    const { away, home, faults, asked } = scene;
    const head = await scene.commit(await scene.clone(), { 'b.txt': 'bee\n' }, 'the work');
    const base = await scene.based();
    faults.isolates = true;

    await expect(scene.pin(head)).rejects.toMatchObject({ code: 'isolated' });
    await expect(scene.bring(away, base)).rejects.toMatchObject({ code: 'isolated' });
    await expect(scene.bring(home, head)).rejects.toThrow(`The depot keeps no commit ${head} for a run`);
    expect([await scene.refsIn(away), asked.filter(({ commit }) => commit !== head)]).toEqual(['', []]);
    // In a run of its own machine it goes on: the checks run in its cage.
    const own = { kind: 'run-pin', run: RUN, request: `${RUN}:2`, commit: head, isCarried: false } as const;
    expect(await keepWork(away, own)).toMatchObject({ kind: 'run-pinned', commit: head });
  },
  TEST_MS,
);

test(
  'given work that names a commit of a submodule that was never pushed, when it is brought, then it comes like any other, and the submodule stays as it is',
  async () => {
    await using scene = await yard();
    const { home } = scene;
    const worktree = await scene.clone();
    await scene.git(worktree, 'update-index', '--add', '--cacheinfo', `160000,${'d'.repeat(40)},lib`);
    await scene.git(worktree, 'commit', '-q', '-m', 'moves the submodule');
    const head = await scene.git(worktree, 'rev-parse', 'HEAD');
    await scene.pin(head);

    expect(await scene.bring(home, head)).toMatchObject({ kind: 'run-pinned', commit: head });
    const tree = await scene.git(depotOf(depotPlaceOf(home)), 'ls-tree', head, 'lib');
    expect(tree).toContain('d'.repeat(40));
  },
  TEST_MS,
);
