/** Makes tools trust a worker's place, as far as a person has allowed it for the project. */
import { TOOL_KINDS, type ToolKind, type Untrusted } from '@drover/core';
import { isAsOnBase } from '@drover/worktree';
import { workerSetupOf } from '../checks/required.ts';
import { type PlaceContext, placeOf } from '../worktree-of.ts';

/** Files that each tool runs, in the top directory of a place, and the command by which it trusts one. Sources: direnv.net, mise.jdx.dev. */
const TOOLS: Readonly<
  Record<ToolKind, { readonly files: readonly string[]; readonly trust: (file: string) => readonly string[] }>
> = {
  direnv: { files: ['.envrc'], trust: (file) => ['direnv', 'allow', file] },
  mise: {
    files: ['mise.toml', '.mise.toml', '.config/mise.toml', 'mise/config.toml'],
    trust: (file) => ['mise', 'trust', '--quiet', file],
  },
};

/** Milliseconds in which the shell tells whether there is a program. */
const FIND_MS = 10_000;

/** Commands by which tools of this machine trust the place, and files that nobody has decided about. */
interface PlaceTrust {
  readonly commands: readonly (readonly string[])[];
  readonly untrusted: readonly Untrusted[];
}

/** Looks into a place. A file that differs from the default branch is trusted by nobody: a worker may have changed it. */
export async function trustOf(context: PlaceContext): Promise<PlaceTrust> {
  const { git, worktree, defaultBranch } = placeOf(context);
  const { trust } = context.settings.project;
  const commands: (readonly string[])[] = [];
  const untrusted: Untrusted[] = [];
  for (const kind of TOOL_KINDS) {
    if (trust[kind] === false) continue;
    const { files, trust: commandFor } = TOOLS[kind];
    for (const file of files) {
      if ((await git.files.stat(`${worktree}/${file}`))?.kind !== 'file') continue;
      if (!(await isAsOnBase(git, { worktree, defaultBranch, path: file })) || !(await isHere(context, kind))) continue;
      if (trust[kind] === true) commands.push(commandFor(file));
      else untrusted.push({ kind, file });
    }
  }
  return { commands, untrusted };
}

async function isHere(context: PlaceContext, program: string): Promise<boolean> {
  const { git, worktree } = placeOf(context);
  const looked = await git.run('sh', ['-c', 'command -v "$1"', 'sh', program], { cwd: worktree, timeoutMs: FIND_MS });
  return looked.status === 0;
}

/** Lists the commands that make the place ready: `trusting` of them for tools that are trusted, then those of the project, which may need the tools. */
export async function placeSetupOf(
  context: PlaceContext,
): Promise<Awaited<ReturnType<typeof workerSetupOf>> & { readonly trusting: number }> {
  const own = await workerSetupOf(context);
  const { commands } = await trustOf(context);
  return { ...own, commands: [...commands, ...own.commands], trusting: commands.length };
}
