/**
 * `difft` shows the work: git runs it on this machine, on the objects of the clone alone. The repository's configuration
 * and attributes name programs and hide files, and an agent can write both; so git does not see them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { createLocalHost, type Host } from '@drover/host';
import { CommandError } from '../../exit-codes.ts';
import { adoptColours } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** How long git may take to find the objects, and difft to compare, in milliseconds. */
const FIND_MS = 15_000;
const COMPARE_MS = 120_000;
/** Width where there is no terminal. */
const COLUMNS = 160;

/** What difft prints of the change from where the branches parted. @throws {CommandError} */
export async function difftastic(
  { terminal, environment }: Surroundings,
  { worker, base, head }: ReviewView,
): Promise<string> {
  // Variables of git would point it at another repository, another configuration, another program.
  const own = Object.entries(environment.variables).filter(([name]) => !name.startsWith('GIT_'));
  const host = createLocalHost({ env: Object.fromEntries(own) });
  const asked = ['-C', worker.worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const objects = (await git(host, asked, {})).trimEnd();
  const view = await mkdtemp(path.join(environment.temporary, 'drover-view-'));
  try {
    await git(host, ['init', '--quiet', '--bare', '--template=', view], CLEAN);
    const width = String(Number.isFinite(terminal.columns) ? terminal.columns : COLUMNS);
    const output = await git(host, ['-c', 'core.attributesFile=/dev/null', 'diff', '--ext-diff', `${base}...${head}`], {
      ...CLEAN,
      GIT_DIR: view,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_EXTERNAL_DIFF: 'difft',
      DFT_COLOR: terminal.colours ? 'always' : 'never',
      DFT_WIDTH: width,
    });
    return adoptColours(output, terminal.colours);
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

const CLEAN = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
} as const;

async function git(host: Host, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const timeoutMs = 'GIT_EXTERNAL_DIFF' in env ? COMPARE_MS : FIND_MS;
  const { status, stdout, stderr } = await host.run('git', args, { timeoutMs, env });
  if (status === 0) return stdout;
  const message = `git and difft cannot show it (${stderr.trim() || `status ${status ?? 'unknown'}`})`;
  throw new CommandError(
    'environment',
    `${message}: is the worktree on this machine, and difft installed? Use --interface diff`,
  );
}
