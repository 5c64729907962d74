/** A judge that a clone cannot lie to, and that leaves everything as it is. */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BOTH, PLAIN, type Standing, collide, lines } from './yard.ts';

/** Writes all that somebody who can write into the clone, or into the user's home, can say about reading it. */
async function lie({ yard, at, git, onto, orig }: Standing): Promise<void> {
  const evil = join(yard.dir, 'evil.sh');
  await writeFile(evil, `#!/bin/sh\necho >> ${join(yard.dir, 'evil.ran')}\ncat\n`);
  await chmod(evil, 0o755);
  const settings = [
    ['diff.external', evil],
    ['diff.evil.textconv', evil],
    ['diff.evil.command', evil],
    ['merge.evil.driver', `${evil} %A`],
    ['merge.default', 'evil'],
    ['merge.renames', 'false'],
    ['merge.conflictStyle', 'diff3'],
    ['diff.renames', 'false'],
    ['diff.renameLimit', '1'],
    ['diff.ignoreSubmodules', 'all'],
    ['diff.orderFile', '/dev/zero'],
    ['core.bigFileThreshold', '1'],
    ['core.useReplaceRefs', 'true'],
    ['grep.patternType', 'fixed'],
    ['grep.fullName', 'true'],
    ['grep.column', 'true'],
    ['color.ui', 'always'],
    ['core.attributesFile', join(yard.dir, 'attributes')],
  ];
  for (const [name = '', value = ''] of settings) await git('config', name, value);
  const attributes = '* diff=evil merge=evil -text\n*.txt binary conflict-marker-size=99\n';
  await writeFile(join(yard.dir, 'attributes'), attributes);
  await mkdir(join(yard.worktree, '.git/info'), { recursive: true });
  await writeFile(join(yard.worktree, '.git/info/attributes'), attributes);
  await git('replace', '-f', `${orig}:own.txt`, `${onto}:own.txt`);
  await git('replace', '-f', orig, onto);
  await writeFile(join(yard.worktree, '.git/info/grafts'), `${orig}\n`);
  await yard.write(at, { '.git-is-no-file-here': 'x\n' });
}

/** Reads all that a judge must leave as it is. */
async function pictureOf({ yard, at, git }: Standing): Promise<readonly string[]> {
  const directory = await git('rev-parse', '--path-format=absolute', '--git-dir');
  return [
    await git('-c', 'diff.external=', 'status', '--porcelain=v2', '--branch'),
    await yard.sh(yard.archive, 'for-each-ref'),
    await yard.sh(yard.worktree, 'count-objects', '-v'),
    (await readdir(directory)).sort().join(),
    (await readdir(at)).sort().join(),
  ];
}

test.each([
  ['markers', {}],
  ['lost-own', { 'both.txt': BOTH, 'own.txt': lines() }],
  ['undone-others', { 'both.txt': PLAIN.own['both.txt'] }],
  ['resolved', { 'both.txt': BOTH }],
])(
  'given a clone that lies about its commits, files and settings, when the end is %s, then the judge says so, runs nothing and changes nothing',
  async (kind, files) => {
    await using standing = await collide();
    await standing.goOn(files);
    const truth = await standing.judge();
    await lie(standing);
    const before = await pictureOf(standing);

    const when = await standing.judge();

    expect(when).toEqual(truth);
    expect(when.kind).toBe(kind);
    expect(await pictureOf(standing)).toEqual(before);
    expect(await readdir(standing.yard.dir)).not.toContain('evil.ran');
  },
);
