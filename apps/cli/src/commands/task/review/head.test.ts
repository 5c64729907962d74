import { expect, test } from 'vitest';
import type { ReviewView } from '@drover/api';
import type { Terminal } from '../../../terminal/terminal.ts';
import { reviewHead } from './head.ts';

const MINUTE = 60_000;
const NOW = 10_000 * MINUTE;
const PAGE = { now: NOW, terminal: { colours: false, columns: 100 } as Terminal };

const STANDING = {
  workedAt: NOW - 5 * MINUTE,
  base: 'd'.repeat(40),
  basedAt: NOW - 180 * MINUTE,
  behind: 2,
  upstream: null,
};

function headOf(changed: Partial<ReviewView>, lacks: readonly string[] = []): string[] {
  const worker = {
    name: 'adam',
    status: 'needs_review',
    note: 'committed "Add a"',
    branch: 'drover/adam',
    prompt: 'add a\nand b',
    lacks,
  } as unknown as ReviewView['worker'];
  const review: ReviewView = {
    worker,
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    tree: 'c'.repeat(40),
    dropped: null,
    commits: [{ commit: 'b'.repeat(40), subject: 'Add a', author: 'Ada' }],
    diff: '',
    notes: [],
    standing: STANDING,
    work: null,
    ...changed,
  };
  return reviewHead(review, PAGE).split('\n');
}

test('given work with nothing odd, when it is reviewed, then its head says task, work, base and ages', () => {
  expect(headOf({})).toEqual([
    'adam is needs_review: committed "Add a"',
    'Task: add a and b',
    'Work: 1 commit on drover/adam up to bbbbbbbbbbbb, made 5m ago',
    '  bbbbbbbbbbbb Add a (Ada)',
    'Base: dddddddddddd, 2 commits behind the default branch, made 3h ago',
    'Notes: no hidden characters, binary files, links or changed modes',
    '',
  ]);
});

test('given a default branch that lags its upstream, when work is reviewed, then the line of the base says by how much', () => {
  const head = headOf({
    standing: { ...STANDING, behind: 0, upstream: { name: 'origin/main', behind: 3, follows: false } },
  });

  expect(head).toContain(
    'Base: dddddddddddd, the newest of the default branch, made 3h ago; that is 3 commits behind origin/main (follow = "upstream" in [repo] of drover.toml brings it up to date)',
  );
});

test('given work on what the default branch has dropped, when it is reviewed, then the head names that and says what comes before a merge', () => {
  const head = headOf({ dropped: 'd'.repeat(40), standing: { ...STANDING, behind: 0 } });

  expect(head).toContain('Base: dddddddddddd, no longer in the default branch, made 3h ago');
  expect(head).toContain(
    'Merge: the default branch was rewritten: dddddddddddd is no longer in it; the diff shows the later commits, which must be rebased before you can accept them ("drover rebase adam" does it now)',
  );
});

test('given a worktree that lacks something, when its work is reviewed, then the head says so', () => {
  expect(headOf({}, ['it has LFS pointers.'])).toContain('adam: it has LFS pointers.');
});

test('given hidden characters in the words of a commit, when it is reviewed, then they are counted and marked later', () => {
  const commits = [{ commit: 'b'.repeat(40), subject: 'Fix\u202e', author: 'A\u200bda' }];

  expect(headOf({ commits })).toContain('  2 hidden characters in the commits; marked as ⟨U+…⟩');
});

test('given every kind of note, when the work is reviewed, then each is one line of plain words, and odd names are quoted', () => {
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  const notes: ReviewView['notes'] = [
    { kind: 'hidden-characters', path: 'a b.ts', characters: 3, bidirectional: 2 },
    { kind: 'hidden-characters', path: 'esc\u001b\n"\u202e.ts', characters: 1, bidirectional: 0 },
    { kind: 'symbolic-link', path: '-rf', target: '/etc/passwd', leads: 'outside' },
    { kind: 'symbolic-link', path: 'in', target: 'a b.ts', leads: 'inside' },
    { kind: 'symbolic-link', path: 'gone', target: 'x', leads: 'nowhere' },
    { kind: 'submodule', path: 'sub', commits: [one, two], urls: ['https://a', 'https://b'] },
    { kind: 'submodule', path: 'new', commits: [null, two], urls: [null, null] },
    { kind: 'submodule', path: 'old', commits: [one, null], urls: ['https://a', null] },
    { kind: 'mode', path: 'run.sh', before: '100644', after: '100755' },
    { kind: 'mode', path: 'new.sh', before: null, after: '100755' },
    { kind: 'mode', path: 'was', before: '120000', after: '100644' },
    { kind: 'lfs-pointer', path: 'big.dat', bytes: 2_097_152 },
    { kind: 'lfs-pointer', path: 'gone.dat', bytes: 2_097_152, isHere: false },
    { kind: 'binary', path: 'image.png', before: 0, after: 300 },
    { kind: 'binary', path: 'old.png', before: 200, after: 300 },
    { kind: 'hidden-characters', path: 'one.ts', characters: 1, bidirectional: 1 },
    { kind: 'more', of: 'binary', count: 70 },
    { kind: 'searched-first', bytes: 16_777_216 },
    null,
  ];

  const head = headOf({ notes });

  expect(head.slice(head.indexOf('Notes:') + 1)).toEqual([
    '  a b.ts: 3 hidden characters, of which 2 turn the direction of the text; marked as ⟨U+…⟩',
    String.raw`  "esc\u001b\n\"\u202e.ts": 1 hidden character; marked as ⟨U+…⟩`,
    '  "-rf": symbolic link to /etc/passwd, outside the repository',
    '  in: symbolic link to a b.ts',
    '  gone: symbolic link to x, which is not there',
    '  sub: submodule 111111111111 → 222222222222, fetched from https://b instead of https://a',
    '  new: new submodule at 222222222222, .gitmodules names no address for it',
    '  old: submodule removed, was fetched from https://a',
    '  run.sh: is executable now',
    '  new.sh: new and executable',
    '  was: a file now, was a symbolic link',
    '  big.dat: pointer of Git LFS to a file of 2.0 MiB, which the diff does not show',
    '  gone.dat: pointer of Git LFS to a file of 2.0 MiB, whose content is not on its machine: it cannot be merged unless the default branch has the content',
    '  image.png: new binary file of 300 bytes, which the diff does not show',
    '  old.png: binary file, 200 bytes → 300 bytes, which the diff does not show',
    '  one.ts: 1 hidden character, which turns the direction of the text; marked as ⟨U+…⟩',
    '  and 70 more notes (binary)',
    '  the change is larger than 16 MiB: Drover searched only the first part for hidden characters and LFS pointers',
    '  a note that this version of drover cannot read: update it',
    '',
  ]);
});

const TREE = 'e'.repeat(40);
const COMMIT = 'b'.repeat(40);
type Work = NonNullable<ReviewView['work']>;

function workWith(changed: Partial<Work>): Pick<ReviewView, 'work'> {
  const candidate = { kind: 'candidate', head: COMMIT, base: '', commit: COMMIT, tree: TREE, files: [] } as const;
  const checks = {
    commit: COMMIT,
    tree: TREE,
    at: NOW - 3 * MINUTE,
    result: 'passed',
    command: null,
    output: null,
  } as const;
  return { work: { step: null, candidate: { ...candidate, files: [] }, checks, notes: [], ...changed } };
}

test.each<[string, Partial<Work>, string[]]>([
  ['passed', {}, ['Checks: passed 3m ago, on the result of the merge']],
  ['under way', { step: 'checks' }, ['Checks: running']],
  ['not run', { checks: null }, ['Checks: not run yet']],
  [
    'of a commit before',
    {
      candidate: { kind: 'candidate', head: '9'.repeat(40), base: '', commit: '', tree: TREE, files: [] },
      step: 'candidate',
    },
    ['Checks: not run on this commit yet; they are running'],
  ],
  [
    'of an older base',
    { candidate: { kind: 'candidate', head: COMMIT, base: '', commit: '', tree: '1'.repeat(40), files: [] } },
    ['Checks: passed 3m ago, before the default branch moved; they run again before the merge'],
  ],
  [
    'of work that conflicts',
    {
      candidate: { kind: 'clash', head: COMMIT, base: '', commit: null, tree: null, files: ['a.ts', '-b'] },
      checks: null,
    },
    ['Merge: conflicts with the newest default branch in a.ts, "-b"', 'Checks: not run yet'],
  ],
  [
    'of work that is there already',
    { candidate: { kind: 'contained', head: COMMIT, base: '', commit: null, tree: null, files: [] }, checks: null },
    [
      'Merge: nothing to merge, the default branch already contains all of it; "drover accept adam --nothing" ends the task',
      'Checks: not run yet',
    ],
  ],
])('given checks that are %s, when the work is reviewed, then its head says so with their age', (_, work, lines) => {
  const head = headOf(workWith(work));

  expect(head.filter((line) => /^(?:Checks|Merge):/.test(line))).toEqual(lines);
});

test('given a check that failed and notes of the judge, when the work is reviewed, then the end of its output and the notes are shown', () => {
  const output = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
  const checks = { commit: COMMIT, tree: TREE, at: NOW, result: 'failed', command: 'npm test', output } as const;

  const head = headOf(workWith({ checks, notes: ['it takes back what others have changed in a.ts'] }));

  expect(head).toContain('Checks: "npm test" failed 0s ago, on the result of the merge');
  expect(head).toContain('  … 5 lines before');
  expect(head).toContain('  line 5');
  expect(head).toContain('  line 19');
  expect(head.slice(head.indexOf('Notes:'))).toEqual([
    'Notes:',
    '  it takes back what others have changed in a.ts',
    '',
  ]);
});
