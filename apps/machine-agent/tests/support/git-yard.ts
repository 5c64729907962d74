/** A source repository, and a directory for parcels at the coordinator: what two machines of a test share. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';

/** @param name Begin of the directory's name. Whoever gets `stack` disposes of it. */
export async function gitYard(name: string) {
  // Beside the tests' other temporary files, in memory where there is room.
  const dir = realpathSync(mkdtempSync(join(process.env['TEST_MEMORY_DIR'] ?? tmpdir(), name)));
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
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, file)), { recursive: true });
      writeFileSync(join(at, file), text);
    }
    await git(at, 'add', '-A');
    await git(at, 'commit', '-q', '-m', message);
    return git(at, 'rev-parse', 'HEAD');
  };
  await git(source, 'init', '-q');
  await commit(source, { 'a.txt': 'one\n' }, 'first');
  return { dir, stack, host, source, post, git, commit };
}
