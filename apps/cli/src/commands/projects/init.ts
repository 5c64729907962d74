/** `drover init`: a Drover root beside a repository: its clone and its drover.toml. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_FILE, configTemplate } from '@drover/config';
import { examineSource, makeClone } from '@drover/machine-agent';
import { needPrograms } from '../../compose/programs.ts';
import { CommandError } from '../../exit-codes.ts';
import { text } from '../../program/options.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { cwd, environment, terminal } = surroundings;
  await needPrograms(surroundings);
  const wanted = path.resolve(cwd, text(options, 'source') ?? '.');
  const check = await examineSource(environment.variables, wanted);
  if (check.kind !== 'ok') throw new CommandError('usage', check.message);
  const { root: source, defaultBranch } = check;
  const target = path.resolve(cwd, text(options, 'target') ?? `${source}-drover`);
  if (target === source || target.startsWith(`${source}${path.sep}`)) {
    throw new CommandError('usage', `${target} lies inside the source ${source}: choose a target beside it`);
  }
  const clone = await makeClone(environment.variables, { source, target, defaultBranch });
  if (clone.kind === 'occupied') throw new CommandError('usage', clone.message);
  const created = await writeConfig(target, configTemplate({ source, defaultBranch }));
  if (terminal.json) {
    terminal.out(JSON.stringify({ root: target, source, defaultBranch, created }));
    return;
  }
  terminal.out(`${created ? 'Made' : 'Found'} the Drover root ${target} for ${source} (branch ${defaultBranch}).`);
  terminal.out(`Next: cd ${path.relative(cwd, target) || '.'} && drover up`);
}

/** A configuration that is there already is somebody's work. @returns false when there was one. */
async function writeConfig(target: string, content: string): Promise<boolean> {
  try {
    await writeFile(path.join(target, CONFIG_FILE), content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new CommandError(
      'environment',
      `Cannot write ${target}/${CONFIG_FILE}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
