/** Tests that a person hears about supplies that a worktree lacks beside its commits: files that were not copied, and the content of LFS files. */
import { appendFile, chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
const LACKS_POINTERS = 'adam: 1 file kept by Git LFS is a pointer without content ("a.psd"), because';
const LACKS_FILE = 'adam: repo.copy_files has a pattern that no ignored file of the source matches (".env.none")';
const LACKS_LINK =
  'adam: Not copied, because they are symbolic links in the source: put plain files there: "key.secret"';

/** Makes a root whose repository uses LFS, and names files to copy: one exists, one is a link and one is missing. */
async function lackingRoot(): Promise<Sandbox> {
  const sandbox = await Sandbox.withRoot();
  const files = { '.gitattributes': '*.psd filter=lfs\n', '.gitignore': '*.secret\n.env\n', 'a.psd': POINTER };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(sandbox.source, name), text);
  await sandbox.git('add', '.');
  await sandbox.git('commit', '--quiet', '--message', 'second');
  await writeFile(path.join(sandbox.source, '.env'), 'A=1\n');
  await symlink('/etc/hostname', path.join(sandbox.source, 'key.secret'));
  await appendFile(path.join(sandbox.root, 'drover.toml'), 'copy_files = [".env", "*.secret", ".env.none"]\n');
  return sandbox;
}

test('given a worktree without LFS files and copied files, when its worker starts and is reviewed, then every page says what it lacks', async () => {
  await using sandbox = await lackingRoot();
  // Independent of this machine's programs: one that exists and fails.
  const bin = path.join(sandbox.directory, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'git-lfs'), '#!/bin/sh\n[ "$1" = version ] || { echo no such server >&2; exit 2; }\n');
  await chmod(path.join(bin, 'git-lfs'), 0o755);
  await appendFile(path.join(sandbox.root, 'drover.toml'), '[agent]\ninherit = ["PATH"]\n');
  await sandbox.up([], { env: { PATH: `${bin}:${sandbox.env['PATH'] ?? ''}` } });
  await sandbox.drover(['add', 'adam', '--wait']);

  const started = await sandbox.drover(['start', '--prompt', 'WRITE b.md one\nCOMMIT Add b']);
  await sandbox.until('adam', 'needs_review');
  const status = await sandbox.drover(['status']);
  const why = await sandbox.drover(['why', 'adam', '--all', '-n', '100']);
  const review = await sandbox.drover(['review', 'adam']);
  const doctor = await sandbox.drover(['doctor']);

  for (const { stdout } of [started, status, review, doctor]) {
    expect(stdout).toContain(LACKS_POINTERS);
    expect(stdout).toContain(LACKS_FILE);
    expect(stdout).toContain(LACKS_LINK);
    expect(stdout).toContain('no such server');
  }
  expect(why.stdout).toContain('1 file kept by Git LFS is a pointer without content ("a.psd")');
  expect(why.stdout).toContain('1 file of repo.copy_files (4 bytes) was copied into its worktree.');
});

test('given a machine without git-lfs, when the doctor looks, then it says so, and which patterns match nothing', async () => {
  await using sandbox = await lackingRoot();
  const bin = path.join(sandbox.directory, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'git-lfs'), '#!/bin/sh\nexit 1\n');
  await chmod(path.join(bin, 'git-lfs'), 0o755);

  const { stdout } = await sandbox.drover(['doctor'], { env: { PATH: `${bin}:${sandbox.env['PATH'] ?? ''}` } });

  expect(stdout).toMatch(/^warning {2}Git LFS: the repository uses it, and git-lfs is not installed on this machine/mu);
  expect(stdout).toMatch(
    /^warning {2}copy_files: repo\.copy_files has a pattern that no ignored file .* \("\.env\.none"\)/mu,
  );
});
