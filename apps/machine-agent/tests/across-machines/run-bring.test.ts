/** Commits of a run on their way between two machines. The parcels of others that arrived wrong are played. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringBase, depotOf, joinRun } from '@drover/worktree';
import { expect, test } from 'vitest';
import { depotPlaceOf } from '../../src/execute/depot-of.ts';
import { checkWork, keepMain, keepWork } from '../../src/execute/runs.ts';
import type { CommandContext } from '../../src/execute/tools.ts';
import { openPlaceOf } from '../../src/execute/worktree-of.ts';
import { CommandError } from '../../src/failure.ts';
import { RUN, runYard } from '../support/run-yard.ts';

const TEST_MS = 600_000;

test(
  'given a run that began on a newer commit than another machine has, when work goes there and back, then the remote gives the one, a parcel the other, each machine keeps what it needs, and again costs no parcel',
  async () => {
    await using scene = await runYard();
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
    expect(asked).toMatchObject([{ commit: head }]);
    const refs = [`refs/drover/runs/${RUN}/${base}`, `refs/drover/runs/${RUN}/${head}`].toSorted().join('\n');
    expect([await scene.refsIn(home), await scene.refsIn(away)]).toEqual([refs, refs]);
    for (const at of [home, away]) expect(readdirSync(at.parcels.spool)).toEqual([]);
  },
  TEST_MS,
);

test(
  'given a parcel that arrives damaged, or is cut off, when the commit is brought, then it is sent again, and nothing half is left',
  async () => {
    await using scene = await runYard();
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
async function other(scene: Awaited<ReturnType<typeof runYard>>): Promise<string> {
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
    await using scene = await runYard();
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
    await using scene = await runYard();
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
  'given a candidate that holds one of the parts, and a remote that cannot be reached, when both go to another machine, then they come as parcels, the part with the candidate',
  async () => {
    await using scene = await runYard();
    const { home, away, source, asked } = scene;
    await scene.clone();
    await scene.bring(home, await other(scene));
    const part = asked.at(-1)?.commit ?? '';
    const base = await scene.based();
    await scene.git(source, 'checkout', '-q', '--detach');
    const second = await scene.commit(source, { 'd.txt': 'dee\n' }, 'another part');
    await keepMain(home, { kind: 'run-base', run: RUN, request: `${RUN}:base`, also: [] });
    await scene.git(depotOf(depotPlaceOf(home)), 'fetch', '-q', source, second);
    const place = openPlaceOf(home);
    const parts = [part, second].map((commit, at) => ({ item: `build/${at}`, commit }));
    const joined = await joinRun(place.git, place.depot, { run: RUN, base, parts });
    expect(await scene.git(depotOf(place.depot), 'merge-base', part, joined.commit)).toBe(part);
    asked.length = 0;
    rmSync(depotOf(depotPlaceOf(away)), { recursive: true });
    await bringBase(openPlaceOf(away).git, depotPlaceOf(away));
    renameSync(source, `${source}.gone`);

    expect(await scene.bring(away, joined.commit, part)).toMatchObject({ commit: joined.commit });
    expect(asked.map(({ commit }) => commit)).toEqual([joined.commit]);
    expect((await scene.refsIn(away)).split('\n')).toHaveLength(2);
  },
  TEST_MS,
);

test(
  'given work that names a commit of a submodule that was never pushed, when it is brought, then it comes like any other, and the submodule stays as it is',
  async () => {
    await using scene = await runYard();
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

test(
  'given work of several agents of which one is isolated, when it is checked, then its checks run in the cage',
  async () => {
    await using scene = await runYard();
    const { home } = scene;
    const commit = await scene.based();
    const ranAs: string[] = [];
    const project = {
      ...home.settings.project,
      validate: [['true']],
      validateFrom: 'config' as const,
      validateTimeoutMs: TEST_MS,
    };
    const cages = {
      holds: ({ profile }: { readonly profile: string }) => profile === 'isolated',
      wordsForLanding: ({ profile }: { readonly profile: string }) => {
        ranAs.push(profile);
        return Promise.resolve([]);
      },
    } as unknown as CommandContext['cages'];
    const context = { ...home, cages, settings: { ...home.settings, project } };
    const query = { kind: 'run-check', run: RUN, request: `${RUN}:3`, commit, base: null, parts: [] } as const;

    const isolated = await checkWork(context, { ...query, profiles: ['open', 'isolated'] });
    const open = await checkWork(context, { ...query, profiles: ['open'] });

    expect([isolated, open]).toMatchObject([
      { passed: true, output: '' },
      { passed: true, output: '' },
    ]);
    expect(new Set(ranAs)).toEqual(new Set(['isolated', home.settings.profile]));
    expect(ranAs.indexOf('isolated')).toBeLessThan(ranAs.indexOf(home.settings.profile));
  },
  TEST_MS,
);
