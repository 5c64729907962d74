import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commits, diff, type Git, openChange, stat } from '../../src/index.ts';
import { makeYard, nodeRunner, type Yard } from '../support.ts';

/** Attributes that hide files from `git diff`, and name programs that would print something else. */
const ATTRIBUTES = '*.ts -diff\n* binary\n*.md diff=evil\n*.txt filter=evil export-subst\n*.dat diff\n';
/** Settings of a repository or a user that change what `git diff` and `git log` print. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['diff.evil.textconv', 'echo hidden #'],
  ['diff.evil.command', 'echo hidden #'],
  ['diff.evil.binary', 'true'],
  ['diff.external', 'echo hidden #'],
  ['filter.evil.smudge', 'echo hidden'],
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.context', '0'],
  ['diff.interHunkContext', '99'],
  ['diff.renames', 'false'],
  ['diff.orderFile', '/dev/zero'],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.submodule', 'log'],
  ['diff.wordRegex', '.'],
  ['diff.relative', 'true'],
  ['diff.algorithm', 'patience'],
  ['color.ui', 'always'],
  ['core.pager', 'echo hidden'],
  ['core.quotePath', 'true'],
  ['core.whitespace', 'cr-at-eol'],
  ['core.bigFileThreshold', '1'],
  ['core.useReplaceRefs', 'true'],
  ['log.showSignature', 'true'],
  ['log.follow', 'true'],
  ['i18n.logOutputEncoding', 'ISO-8859-1'],
];

const NUL_TEXT = `const a = 1;\n// \0\nconst evil = 2;\n`;
const BINARY = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 256)).toString('latin1');

/** A worktree with work of every kind, whose repository does what it can to hide it. */
async function makeHostileYard(): Promise<Yard> {
  const yard = await makeYard();
  const at = yard.worktree;
  const text = 'line\n'.repeat(30);
  const before = { 'old name.md': text, 'mode.ts': text, 'crlf.ts': 'a\nb\n', 'gone.ts': 'x\n' };
  await yard.commit(yard.source, before, 'before');
  await yard.sh(at, 'fetch', '-q', 'origin');
  await yard.sh(at, 'reset', '-q', '--hard', 'origin/main');
  await symlink('/etc/passwd', join(at, 'link.ts'));
  await writeFile(join(at, 'image.ts'), BINARY, 'latin1');
  await chmod(join(at, 'mode.ts'), 0o755);
  await yard.commit(
    at,
    {
      '.gitattributes': ATTRIBUTES,
      'plain.ts': 'the code\n',
      'nul.ts': NUL_TEXT,
      'hostile.ts': 'a\u001b]52;c;eA==\u0007b\u202ec\u009b2J\u200b\n',
      'crlf.ts': 'a\r\nb\n',
      'gone.ts': undefined,
      'old name.md': undefined,
      'new *[name]\\ "q".md': `${text}more\n`,
      'esc\u001b\u202e\n.ts': NUL_TEXT,
      'long.txt': `${'x'.repeat(200_000)}\n`,
      'pointer.dat': 'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 5\n',
    },
    'Add work ü',
  );
  await yard.sh(at, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  await yard.sh(at, 'commit', '-q', '-m', 'Add a submodule');
  return yard;
}

/** Writes all that somebody who can write into the clone, or into the user's home, can say about showing it. */
async function hide(yard: Yard): Promise<void> {
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  const base = await yard.sh(yard.worktree, 'rev-parse', 'origin/main');
  const blobs = ['plain.ts', 'nul.ts'];
  for (const name of blobs) await yard.sh(yard.worktree, 'replace', `HEAD:${name}`, 'HEAD:.gitattributes');
  await yard.sh(yard.worktree, 'replace', `HEAD^{tree}`, `${base}^{tree}`);
  for (const [name, value] of SETTINGS) {
    await yard.sh(yard.worktree, 'config', name, value);
    await yard.sh(yard.worktree, 'config', '--global', name, value);
  }
  const home = join(yard.dir, 'home');
  await mkdir(join(home, '.config/git'), { recursive: true });
  await writeFile(join(home, '.config/git/attributes'), ATTRIBUTES);
  await mkdir(join(yard.worktree, '.git/info'), { recursive: true });
  await writeFile(join(yard.worktree, '.git/info/attributes'), ATTRIBUTES);
  await writeFile(join(yard.worktree, '.git/info/grafts'), `${head}\n`);
  await writeFile(join(yard.worktree, '.git/shallow'), `${head}\n`);
}

/** The same machine with variables that people, and programs that start others, set. */
function inSurroundings(yard: Yard): Git {
  const run = nodeRunner({
    PATH: process.env['PATH'],
    HOME: join(yard.dir, 'home'),
    GIT_EXTERNAL_DIFF: 'echo hidden #',
    GIT_PAGER: 'echo hidden',
    GIT_DIFF_OPTS: '-u0',
    GIT_ATTR_SOURCE: 'HEAD',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'diff.noprefix',
    GIT_CONFIG_VALUE_0: 'true',
    GIT_DIR: '/nowhere',
    GIT_OBJECT_DIRECTORY: '/nowhere',
    LESS: '-r',
  });
  return { ...yard.git, run };
}

test('given work of every kind under attributes that hide it, when it is reviewed, then text is text and the rest is named', async () => {
  await using yard = await makeHostileYard();

  await using change = await openChange(yard.git, { path: yard.worktree, base: 'origin/main' });
  const { text } = await diff(change);

  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '+the code',
      '+// \0',
      '+const evil = 2;',
      '+a\u001b]52;c;eA==\u0007b\u202ec\u009b2J\u200b',
      '-a',
      '+a\r',
      '+version https://git-lfs.github.com/spec/v1',
      `+${'x'.repeat(200_000)}`,
      '+/etc/passwd',
      'new file mode 120000',
      'old mode 100644',
      'new mode 100755',
      'deleted file mode 100644',
      'rename from old name.md',
      'rename to "new *[name]\\\\ \\"q\\".md"',
      '+more',
      '+++ "b/esc\\033\u202e\\n.ts"',
      'new file mode 160000',
      `+Subproject commit ${'1'.repeat(40)}`,
      'Binary files /dev/null and b/image.ts differ (0 → 3000 bytes)',
    ]),
  );
  expect(lines.filter((line) => line === '+const evil = 2;')).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('Binary'))).toHaveLength(1);
});

test('given a repository, a user and variables that say how to show it, when it is reviewed, then all is as without them', async () => {
  await using yard = await makeHostileYard();
  const range = { path: yard.worktree, base: await yard.sh(yard.worktree, 'rev-parse', 'origin/main') };
  const given = await reviewed(yard.git, range);

  await hide(yard);
  const when = await reviewed(inSurroundings(yard), range);

  expect(when).toEqual(given);
  expect(given[2]).toMatchObject([{ subject: 'Add a submodule' }, { subject: 'Add work ü' }]);
});

test('given a commit graph that lies about parents, when it is reviewed, then no commit is missing', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'a.ts': '1\n' }, 'hidden');
  const middle = await yard.commit(yard.worktree, { 'b.ts': '2\n' }, 'middle');
  await yard.commit(yard.worktree, { 'c.ts': '3\n' }, 'last');
  const base = await yard.sh(yard.worktree, 'rev-parse', 'origin/main');
  await yard.sh(yard.worktree, 'commit-graph', 'write', '--reachable');
  await forgeParent(join(yard.worktree, '.git/objects/info/commit-graph'), middle, base);

  expect(await yard.sh(yard.worktree, 'log', '--format=%s', `${base}..HEAD`)).toBe('last\nmiddle');
  await using change = await openChange(yard.git, { path: yard.worktree, base });
  expect(await commits(change)).toMatchObject([{ subject: 'last' }, { subject: 'middle' }, { subject: 'hidden' }]);
});

/** Makes one commit the parent of another. Source: gitformat-commit-graph(5). */
async function forgeParent(file: string, child: string, parent: string): Promise<void> {
  const graph = await readFile(file);
  const chunks = new Map<string, number>();
  for (let at = 8; at < 8 + 12 * (graph[6] ?? 0); at += 12)
    chunks.set(graph.toString('latin1', at, at + 4), Number(graph.readBigUInt64BE(at + 4)));
  const placeOf = (commit: string): number =>
    (graph.indexOf(Buffer.from(commit, 'hex')) - (chunks.get('OIDL') ?? 0)) / 20;
  graph.writeUInt32BE(placeOf(parent), (chunks.get('CDAT') ?? 0) + 36 * placeOf(child) + 20);
  await chmod(file, 0o644);
  await writeFile(file, graph);
}

test('given a clone whose history was cut when it was fetched, when it is reviewed, then it can be', async () => {
  await using yard = await makeYard();
  const url = `file://${yard.source}`;
  await yard.commit(yard.source, { 'm.txt': 'm\n' }, 'second');
  const cut = join(yard.dir, 'cut');
  await yard.sh(yard.dir, 'clone', '-q', '--depth=1', url, cut);
  await yard.commit(cut, { 'n.ts': 'n\n' }, 'work');

  await using change = await openChange(yard.git, { path: cut, base: 'origin/main' });
  const { text } = await diff(change);

  expect(text).toContain('+n');
  expect(await commits(change)).toMatchObject([{ subject: 'work' }]);
});

test('given a review, when it is over, then nothing of it is left among temporary files', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'a.ts': '1\n' });
  const temporary = join(yard.dir, 'tmp');
  await mkdir(temporary);
  const run = nodeRunner({ PATH: process.env['PATH'], HOME: join(yard.dir, 'home'), TMPDIR: temporary });
  const context = { ...yard.git, run };

  await reviewed(context, { path: yard.worktree, base: 'origin/main' });
  const failed = await openChange(context, { path: yard.worktree, base: 'no-such-branch' }).catch(String);

  expect(failed).toContain('no-such-branch');
  expect(await readdir(temporary)).toEqual([]);
});

/** Reads all of a change in one view of it. */
async function reviewed(git: Git, range: Parameters<typeof openChange>[1]): Promise<readonly unknown[]> {
  await using change = await openChange(git, range);
  return [await diff(change), stat(change), await commits(change)];
}
