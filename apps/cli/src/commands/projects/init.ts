/** `drover init`: a Drover root beside a repository: its clone and its drover.toml. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';

/** The agent that workers are started with until drover.toml says otherwise. */
const FIRST_PROFILE = 'claude';

/** `drover init`. */
export const command = defineCommand({
  about: 'make a Drover root: a clone of your repository, and a drover.toml',
  example:
    'drover init\ndrover init --source ~/code/shop --target ~/agents/shop\ndrover init --source git@example.com:team/shop.git',
  options: {
    source: text('dir', 'the git repository to work on, a directory or an address (default: the current directory)'),
    target: text('dir', 'where the root is made (default: <source>-drover beside it)'),
  },
  async run(surroundings, { options }) {
    const { CONFIG_FILE, configTemplate } = await import('@drover/config');
    const machineAgent = await import('@drover/machine-agent');
    const { examineAgent, examineHelpers, examineIdentity, examineSource, examineSupplies } = machineAgent;
    const { isAddress, makeClone, upstreamWarning } = machineAgent;
    const { needPrograms } = await import('../../compose/programs.ts');
    const { cwd, environment, terminal } = surroundings;
    await needPrograms(surroundings);
    const { source: given = '.' } = options;
    const isElsewhere = isAddress(given);
    const wanted = isElsewhere ? given : path.resolve(cwd, given);
    const check = await examineSource(environment.variables, wanted);
    if (check.kind !== 'ok') throw new CommandError('usage', check.message);
    const { root: source, defaultBranch } = check;
    const target = path.resolve(cwd, options.target ?? `${isElsewhere ? nameOf(source) : source}-drover`);
    if (target === source || target.startsWith(`${source}${path.sep}`)) {
      throw new CommandError('usage', `${target} lies inside the source ${source}: choose a target beside it`);
    }
    const clone = await makeClone(environment.variables, { source, target, defaultBranch });
    if (clone.kind === 'occupied') throw new CommandError('usage', clone.message);
    const created = await writeConfig(path.join(target, CONFIG_FILE), configTemplate({ source, defaultBranch }));
    const { variables } = environment;
    const supplies = isElsewhere ? [] : await examineSupplies(variables, { source, patterns: [], allowed: null });
    const looked = [
      ...(await examineIdentity(variables, { source, target })),
      ...(await examineAgent(variables, { profile: FIRST_PROFILE })),
      ...(await examineHelpers(variables, target)),
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
    for (const lack of lacks) terminal.out(`Missing here: ${lack}`);
    if (behind !== undefined) terminal.out(`Note: ${behind}. To bring it up to date: git -C '${source}' pull`);
    terminal.out(`Next: cd ${path.relative(cwd, target) || '.'} && drover up`);
  },
});

/** The last part of an address. */
function nameOf(address: string): string {
  return /(?<![^/:])([^/:]+?)(?:\.git)?\/*$/u.exec(address)?.[1] ?? 'project';
}

/** A configuration that exists is kept: it is somebody's work. @returns false when there was one. */
async function writeConfig(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new CommandError(
      'environment',
      `Cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
