/** `drover init`: makes a Drover root beside a repository: a directory with its drover.toml, which holds the worktrees of workers. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { shellWord } from '@drover/core/shell-word';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';
import { FOLLOW_OFFER } from '../project/follow.ts';

/** The first profile in a new drover.toml. */
const FIRST_PROFILE = 'claude';

export const command = defineCommand({
  about: 'create a Drover root beside your repository',
  more: 'The root holds drover.toml and a clone for each worker. Your repository stays as it is.',
  example:
    'drover init\ndrover init --source ~/code/shop --target ~/agents/shop\ndrover init --source git@example.com:team/shop.git',
  options: {
    source: text('dir', 'the git repository to work on, a directory or an address (default: the current directory)'),
    target: text('dir', 'the directory of the root (default: <source>-drover beside it)'),
  },
  async run(surroundings, { options }) {
    const { CONFIG_FILE, configTemplate } = await import('@drover/config');
    const machineAgent = await import('@drover/machine-agent');
    const { examineAgent, examineIdentity, examinePrefix, examineSource, examineSupplies } = machineAgent;
    const { isAddress, isRootOfOtherBuild, upstreamWarning } = machineAgent;
    const { paths, rootAround, rootBeside } = await import('@drover/config/surroundings');
    const { needDirectories, needPrograms } = await import('../../compose/programs.ts');
    const { cwd, environment, terminal } = surroundings;
    await needPrograms(surroundings);
    const { source: given = '.' } = options;
    const isElsewhere = isAddress(given);
    const wanted = isElsewhere ? given : path.resolve(cwd, given);
    if (!isElsewhere) refuseInside('repository', wanted, await rootAround(wanted));
    const check = await examineSource(environment.variables, wanted);
    if (check.kind !== 'ok') throw new CommandError('usage', check.message);
    const { root: source, defaultBranch } = check;
    const target = path.resolve(cwd, options.target ?? rootBeside(isElsewhere ? nameOf(source) : source));
    if (target === source || target.startsWith(`${source}${path.sep}`)) {
      throw new CommandError('usage', `${target} lies inside the source ${source}: choose a target beside it`);
    }
    refuseInside('new root', target, await rootAround(path.dirname(target)));
    needDirectories([target, paths({ env: environment, platform: process.platform, root: target }).dataDir]);
    await refuseOccupied(target, await isRootOfOtherBuild(environment.variables, target));
    // A free prefix is as good: the file names it, and a person can change it before there is a worker.
    const taken = await examinePrefix(environment.variables, source);
    const written = configTemplate({ source, defaultBranch, branchPrefix: taken?.free });
    const created = await writeConfig(path.join(target, CONFIG_FILE), written);
    const { variables } = environment;
    const supplies = isElsewhere ? [] : await examineSupplies(variables, { source, patterns: [], allowed: null });
    const looked = [
      ...(await examineIdentity(variables, source)),
      ...(await examineAgent(variables, { profile: FIRST_PROFILE })),
    ];
    const behind = upstreamWarning(defaultBranch, check.upstream);
    const lacks = [...supplies, ...looked].filter(({ ok }) => !ok).map(({ what, says }) => `${what}: ${says}`);
    if (terminal.json) {
      terminal.out(
        JSON.stringify({ root: target, source, defaultBranch, created, lacks, upstream: check.upstream ?? null }),
      );
      return;
    }
    terminal.out(`${created ? 'Made' : 'Found'} the Drover root ${target} for ${source} (branch ${defaultBranch}).`);
    for (const lack of lacks) terminal.out(`Note: ${lack}`);
    if (taken !== undefined) terminal.out(prefixNote(taken, created));
    if (behind !== undefined) terminal.out(`Note: ${behind}. To bring it up to date: git -C ${shellWord(source)} pull`);
    if (behind !== undefined) terminal.out(`${FOLLOW_OFFER} by itself.`);
    terminal.out(`Next: cd ${shellWord(path.relative(cwd, target) || '.')} && drover up`);
  },
});

/** Refuses a root within a root: Drover could not tell which is meant, and "drover remove-root" of the outer one would remove both. */
function refuseInside(what: string, directory: string, root: string | undefined): void {
  if (root === undefined) return;
  throw new CommandError(
    'usage',
    `The ${what} ${directory} lies in the Drover root ${root}: run "drover up" to use that root, or "drover init" in a repository outside of it`,
  );
}

/** Makes the directory, or takes one that is empty or a root already. */
async function refuseOccupied(target: string, isOfOtherBuild: boolean): Promise<void> {
  if (isOfOtherBuild)
    throw new CommandError(
      'usage',
      `"${target}" was made by another build of Drover, so Drover leaves it unchanged: choose another target with --target`,
    );
  try {
    await mkdir(target, { recursive: true });
    const names = await readdir(target);
    if (names.length > 0 && !names.includes('drover.toml'))
      throw new CommandError(
        'usage',
        `"${target}" exists and is not a Drover root: choose another target or move it away`,
      );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = messageOf(error);
    throw new CommandError('environment', `Cannot make ${target}: ${why}`);
  }
}

/** Names the branch that conflicts with those of workers, and the prefix in the file that avoids the conflict. */
function prefixNote(
  { branch, free }: { readonly branch: string; readonly free: string | undefined },
  isWritten: boolean,
): string {
  const says = `Note: the source has a branch "${branch}", so git cannot have a branch "${branch}/NAME".`;
  if (free === undefined) return `${says} Set branch_prefix in [repo] of drover.toml to an unused name.`;
  return isWritten
    ? `${says} Branches of workers begin with "${free}/" (branch_prefix in [repo] of drover.toml).`
    : `${says} Set branch_prefix = "${free}" in [repo] of drover.toml, unless it is set already.`;
}

/** Returns the last part of an address. */
function nameOf(address: string): string {
  return /(?<![^/:])([^/:]+?)(?:\.git)?\/*$/u.exec(address)?.[1] ?? 'project';
}

/** Writes the configuration, but keeps an existing one: it is somebody's work. @returns false if there was one. */
async function writeConfig(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new CommandError('environment', `Cannot write ${file}: ${messageOf(error)}`);
  }
}
