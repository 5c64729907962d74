/** Tells people what a worktree lacks. */
import { expect, test } from 'vitest';
import { tellCopied, tellLacks } from './supplies.ts';
import type { Supplies } from './supplies.ts';

const WELL: Supplies = {
  copied: { count: 2, bytes: 3 * 1024 * 1024 },
  unmatched: [],
  forbidden: [],
  refused: { count: 0, files: [] },
  pointers: null,
  filters: [],
  untrusted: [],
  submodules: { count: 0, lacking: [] },
};
const POINTERS = { count: 1, files: ['a.psd'], why: 'not-installed', message: '' } as const;

test('given a worktree that got everything, when it is told, then it lacks nothing and what was copied is said', () => {
  expect(tellLacks(WELL)).toEqual([]);
  expect(tellCopied(WELL)).toBe('2 files of repo.copy_files (3.0 MiB) were copied into its worktree.');
  expect(tellCopied({ ...WELL, copied: { count: 0, bytes: 0 } })).toBeNull();
});

test.each([
  ['not-installed', '', /because git-lfs is not installed on its machine: install it there, then run "git lfs pull"/u],
  ['failed', 'no server.\n', /because "git lfs pull" failed on its machine: no server\. Correct that, then run/u],
  ['skipped', '', /although git-lfs reported no error: run "git lfs install" as the user of the machine agent/u],
] as const)(
  'given LFS pointers because of "%s", when it is told, then the reason and what to do are said',
  (why, message, words) => {
    const said = tellLacks({ ...WELL, pointers: { ...POINTERS, why, message } });

    expect(said).toEqual([
      expect.stringMatching(/^1 file kept by Git LFS is a pointer without content \("a\.psd"\), /u),
    ]);
    expect(said[0]).toMatch(words);
  },
);

test('given more pointers than a sentence names, when it is told, then the others are counted', () => {
  const files = Array.from({ length: 20 }, (_, index) => `${index}.psd`);

  const [said] = tellLacks({ ...WELL, pointers: { ...POINTERS, count: 300, files } });

  expect(said).toContain(
    '300 files kept by Git LFS are pointers without content ("0.psd", "1.psd", "2.psd", "3.psd", "4.psd", 295 more)',
  );
});

test('given a pattern without a match and refused files, when it is told, then each reason is said with its files', () => {
  const refused = {
    count: 4,
    files: [
      { path: 'key', reason: 'symlink' },
      { path: 'out/x', reason: 'behind-a-symlink' },
      { path: 'key2', reason: 'symlink' },
    ],
  } as const;

  const said = tellLacks({ ...WELL, unmatched: ['.env'], forbidden: ['*.key'], refused });

  expect(said).toEqual([
    'repo.copy_files has a pattern that no ignored file of the source matches (".env"): create the files there, or correct drover.toml.',
    'The owner of its machine does not allow copies of "*.key": allow them there in agent.allowed_copy_files, or remove them from repo.copy_files.',
    'Not copied, because they are symbolic links in the source: put plain files there: "key", "key2".',
    'Not copied, because they would be written through a symbolic link in the worktree: remove the link from the repository: "out/x".',
    'Not copied either: 1 file more.',
  ]);
});

test('given submodules that are not filled, then the first ones are named with the reason, the others counted, and it is said what to do', () => {
  const lacking = Array.from({ length: 6 }, (_, index) => ({ path: `lib${index}`, why: 'address is not there' }));

  const [said] = tellLacks({ ...WELL, submodules: { count: 7, lacking } });

  expect(said).toContain('7 submodules are not checked out ("lib0": its address is not there; ');
  expect(said).toContain('; 2 more): correct that, or run "git submodule update --init" in the source');
});

test('given a filter that nobody has set up, when it is told, then its name and what to do are said', () => {
  expect(tellLacks({ ...WELL, filters: ['git-crypt'] })).toEqual([
    expect.stringMatching(
      /^\.gitattributes asks for a filter that the source does not configure \("git-crypt"\): .*git-crypt unlock/u,
    ),
  ]);
});
