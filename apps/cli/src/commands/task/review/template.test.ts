import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ReviewView } from '@drover/api';
import type { Surroundings } from '../../../surroundings.ts';
import { parseFeedback } from '../reject/comments.ts';
import { templateText, writeTemplate } from './template.ts';

const DIFF = [
  'diff --git a/a b.ts b/a b.ts',
  '--- a/a b.ts\t',
  '+++ b/a b.ts\t',
  '@@ -4,2 +4,2 @@',
  ' kept',
  '-old: 1\r',
  '+new\u001b[8m',
  '--- /dev/null',
  '+++ "b/odd\\n:3:.ts"',
  '@@ -0,0 +1 @@',
  '+#: x',
  '',
].join('\n');
const REVIEW = { worker: { name: 'adam' }, head: 'b'.repeat(40), diff: DIFF } as ReviewView;

test('given a diff, when a file to comment in is written, then nothing in it is sent until a note becomes a comment', () => {
  const file = templateText(REVIEW, 'f.txt');

  expect(parseFeedback(file, 'f.txt')).toEqual({ text: '', comments: [] });
  expect(parseFeedback(file.replaceAll(/^#: (?=.*:-?\d+: )/gm, ''), 'f.txt').comments).toEqual([
    { path: 'a b.ts', line: 4, side: 'after', text: 'kept' },
    { path: 'a b.ts', line: 5, side: 'before', text: '-old: 1' },
    { path: 'a b.ts', line: 5, side: 'after', text: '+new⟨U+001B⟩[8m' },
    { path: 'odd\n:3:.ts', line: 1, side: 'after', text: '+#: x' },
  ]);
  expect(file).toContain('#: Then: drover reject adam --file f.txt');
});

test('given a file that is there, when one is to be written, then it stays as it is', async () => {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'drover-template-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(path.join(cwd, 'mine.txt'), 'my words');

  await expect(writeTemplate({ cwd } as Surroundings, 'mine.txt', REVIEW)).rejects.toThrow(
    'Cannot write mine.txt: it already exists, perhaps with comments: name another file',
  );
  expect(await readFile(path.join(cwd, 'mine.txt'), 'utf8')).toBe('my words');
});
