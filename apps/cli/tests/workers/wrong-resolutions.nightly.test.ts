/**
 * A stranger's ten ways to end a conflict wrongly, on real parts: each comes back to the worker, and the right way
 * passes. packages/worktree/tests/resolution tests git's view of these and other ways.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene } from '../recovery/support/scene.ts';
import { openStand, type Stand } from '../recovery/support/stand.ts';

/** A way to end the conflict in `FILE`, as the agent of a worker runs it, and the rule that sends the work back. */
interface Way {
  readonly worker: string;
  readonly run: string;
  readonly rule: string;
}

const CONTINUE = 'git add -A && git rebase --continue';

const WAYS: readonly Way[] = [
  { worker: 'stopper', run: 'git add -A', rule: 'rebase-stuck' },
  { worker: 'marker', run: CONTINUE, rule: 'resolution:markers' },
  { worker: 'emptier', run: `: > FILE && ${CONTINUE}`, rule: 'resolution:lost-own' },
  { worker: 'remover', run: `git rm -q -f FILE && ${CONTINUE}`, rule: 'resolution:lost-own' },
  { worker: 'yielder', run: `git checkout -q --ours FILE && ${CONTINUE}`, rule: 'resolution:lost-own' },
  { worker: 'skipper', run: 'git rebase --skip', rule: 'resolution:emptied' },
  {
    worker: 'resetter',
    run: 'git rebase --abort && git reset -q --hard origin/main',
    rule: 'resolution:emptied',
  },
  { worker: 'mover', run: 'git rebase --abort && git checkout -q -b elsewhere', rule: 'resolution:elsewhere' },
  { worker: 'detacher', run: 'git rebase --abort && git checkout -q --detach', rule: 'resolution:elsewhere' },
  {
    worker: 'undoer',
    run: `echo both > FILE && git checkout HEAD~1 -- common.txt && ${CONTINUE}`,
    rule: 'resolution:undone-others',
  },
];

/** Settings by which the patrol examines waiting work each second, and not each minute. */
const OFTEN = '[defaults]\npatrol_interval_secs = 1\n';

const TEST_MS = 600_000;

let stand: Stand;
beforeAll(async () => void (stand = await openStand(WAYS, OFTEN)), TEST_MS);
afterAll(() => stand[Symbol.asyncDispose]());

test(
  'given conflicts that agents end wrongly, when git has judged them, then each is told what is wrong, and its right end passes',
  async () => {
    commitAll({ 'common.txt': 'before\n' }, 'a file that all share');
    const scenes = WAYS.map((way) => new Scene(stand, way));
    await Promise.all(
      scenes.map(async (scene) => {
        await scene.begin(
          `STEADY\nWRITE own-${scene.name}.txt mine\nWRITE ${fileOf(scene.name)} mine\nCOMMIT the work of ${scene.name}`,
        );
        await scene.reach('needs_review');
      }),
    );
    const files = WAYS.map((way) => [fileOf(way.worker), scriptOf(way)] as const);

    commitAll({ ...Object.fromEntries(files), 'common.txt': 'of a colleague\n' }, "a colleague's work");

    await Promise.all(
      scenes.map(async (scene, index) => {
        await scene.fired(WAYS[index]?.rule ?? '');
        await scene.fired('rebase-over');
        await scene.reach('needs_review');
      }),
    );
    for (const { name } of scenes) {
      expect(stand.site.git(stand.site.worktree(name), 'show', `drover/${name}:${fileOf(name)}`)).toBe('both\n');
      expect(stand.site.git(stand.site.worktree(name), 'show', `drover/${name}:own-${name}.txt`)).toBe('mine\n');
      expect(stand.site.git(stand.site.worktree(name), 'show', `drover/${name}:common.txt`)).toBe('of a colleague\n');
    }
  },
  TEST_MS,
);

function fileOf(worker: string): string {
  return `shared-${worker}.txt`;
}

/** Script of the simulated agent in the conflict: first wrong, with a claim to be done; after the refusal, right. */
function scriptOf({ worker, run }: Way): string {
  const { site } = stand;
  const orig = site.git(site.worktree(worker), 'rev-parse', `drover/${worker}`).trim();
  const back = `git rebase --quit; git checkout -q -f drover/${worker}; git reset -q --hard ${orig}; git rebase -q origin/main`;
  const right = `${back}; echo both > FILE && ${CONTINUE}`;
  const env =
    'export GIT_EDITOR=true GIT_AUTHOR_NAME=Sim GIT_AUTHOR_EMAIL=s@x GIT_COMMITTER_NAME=Sim GIT_COMMITTER_EMAIL=s@x;';
  const lines = ['STEADY', `RUN ${env} ${run}`, 'ASKTEXT All is resolved, what is next', `RUN ${env} ${right}`];
  return `${lines.join('\n').replaceAll('FILE', fileOf(worker))}\n`;
}

/** Commits on the default branch. */
function commitAll(files: Readonly<Record<string, string>>, message: string): void {
  const { source } = stand.site;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
  stand.site.git(source, 'add', ...Object.keys(files));
  stand.site.git(source, 'commit', '-q', '-m', message);
}
