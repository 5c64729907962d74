import { expect, test } from 'vitest';
import { errorFromGit } from './git-error.ts';

test.each([
  ["fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems to be running", 'locked'],
  ["error: cannot lock ref 'refs/heads/main': Unable to create '/r/.git/refs/heads/main.lock': File exists.", 'locked'],
  ['error: unable to write file a.txt: No space left on device', 'disk-full'],
  ['fatal: write error: Disk quota exceeded', 'disk-full'],
  ["fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace", 'disk-full'],
  ['error: unable to write file large.bin', 'disk-full'],
  ['error: unable to write file .git/objects/pack/x: Permission denied', 'no-permission'],
  ["fatal: Unable to create '/r/.git/index.lock': Read-only file system", 'read-only'],
  ['error: insufficient permission for adding an object to repository database .git/objects', 'no-permission'],
  ['fatal: not a git repository (or any of the parent directories): .git', 'not-a-repository'],
  ["fatal: detected dubious ownership in repository at '/r'", 'unsafe-owner'],
  ["fatal: cannot change to '/r': No such file or directory", 'missing'],
  ["fatal: couldn't find remote ref refs/heads/main", 'unknown-revision'],
  ['fatal: something new', 'failed'],
])('given git wrote %j, when it is read, then the code is %s and the words are quoted', (words, code) => {
  const when = errorFromGit('advance "main" in "/r"', words);

  expect(when.code).toBe(code);
  expect(when.message).toContain('Cannot advance "main" in "/r": ');
  expect(when.message).toContain(words.slice(0, 40));
});
