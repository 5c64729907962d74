/** `drover remove-root`: removes a Drover root with all that belongs to it on this machine. */
import { access, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig } from '@drover/config';
import type { Config, Paths } from '@drover/config';
import { readEndpoint } from '../../client/endpoint.ts';
import { CommandError } from '../../exit-codes.ts';
import { isRunning } from '../../processes/processes.ts';
import { endTmux } from '../../processes/tmux-servers.ts';
import { readUp } from '../../processes/up-file.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';

/** A directory that is removed, and its meaning. */
interface Part {
  readonly what: string;
  readonly directory: string;
}

/** Exits with `refused` while Drover is up, without a yes, and with a yes given in advance if work would be lost. */
export const command = defineCommand({
  about: 'remove everything: this root, all its workers',
  more: 'Its database, worktrees and logs are deleted. The source repository stays.',
  example: 'drover remove-root --dry-run\ndrover remove-root',
  options: {
    dryRun: flag('show what would be removed, without removing it'),
    yes: flag('do not ask'),
    force: flag('with --yes: also with work that exists nowhere else'),
  },
  async run(surroundings, { options: { dryRun, yes, force } }) {
    const paths = needRoot(surroundings);
    const { terminal } = surroundings;
    await refuseWhileUp(paths);
    const { repo } = await readOwnConfig(surroundings, paths);
    refuseSource(repo, paths);
    const parts = await partsOf(paths);
    const { findRootLosses } = await import('@drover/machine-agent');
    const unmerged = await findRootLosses(surroundings.environment.variables, { ...paths, keep: repo.keep });
    const lines = [
      ...parts.map(({ what, directory }) => `  ${directory}   (${what})`),
      ...unmerged.map((one) => `  would be lost: ${one}`),
    ];
    if (dryRun) {
      answer(surroundings, { removed: [], would: parts, unmerged }, () => ['Would remove:', ...lines].join('\n'));
      return;
    }
    if (yes && !force) refuseLosses(paths, unmerged);
    if (!terminal.json) terminal.out(['Drover removes:', ...lines].join('\n'));
    await confirm('All of it is lost for good, with every commit that is not merged.', { yes, terminal });
    await remove(surroundings, parts, paths);
    answer(surroundings, { removed: parts, unmerged }, () => `Removed ${paths.root} and all that belonged to it.`);
  },
});

async function refuseWhileUp({ dataDir, root }: Paths): Promise<void> {
  const endpoint = await readEndpoint(dataDir);
  const isUp = (endpoint !== null && isRunning(endpoint.pid)) || (await readUp(dataDir)) !== null;
  if (isUp) throw new CommandError('refused', `Drover is up for ${root}: run "drover down" first`);
}

/** Refuses if work would be lost: with --yes nobody reads the list. */
function refuseLosses({ root }: Paths, unmerged: readonly string[]): void {
  if (unmerged.length === 0) return;
  const lost = unmerged.map((one) => `  ${one}`);
  const what = `Nothing is removed: ${root} contains work that exists nowhere else`;
  throw new CommandError('refused', [`${what}; add --force to lose it`, ...lost].join('\n'));
}

async function readOwnConfig({ environment }: Surroundings, { root }: Paths): Promise<Config> {
  const outcome = await loadConfig({ root, environment });
  if (outcome.kind === 'invalid') throw new CommandError('usage', 'drover.toml is wrong: run "drover project check"');
  return outcome.config;
}

/** Refuses if root and source are one directory: only a person can tell what to keep. */
function refuseSource({ source }: Config['repo'], { root }: Paths): void {
  const isInside = source === root || source.startsWith(root + path.sep);
  if (isInside)
    throw new CommandError('refused', `The source repository ${source} lies in ${root}: nothing is removed`);
}

/** Lists directories to remove. The database in the system's directory comes first: the file that names it lies in the data directory. */
async function partsOf({ root, dataDir, stateDir, cacheDir, runtimeDir }: Paths): Promise<readonly Part[]> {
  const pointer = await readFile(path.join(dataDir, 'postgres', 'staged-at'), 'utf8').catch(() => null);
  const parts: readonly Part[] = [
    ...(pointer === null ? [] : [{ what: 'the database and its backups', directory: path.dirname(pointer.trim()) }]),
    { what: 'sockets of its tmux servers, which end', directory: runtimeDir },
    { what: 'its data: the database, keys, journals', directory: dataDir },
    { what: 'its logs', directory: stateDir },
    { what: 'its cache', directory: cacheDir },
    { what: 'the root with the worktrees of all workers', directory: root },
  ];
  const there = await Promise.all(parts.map(({ directory }) => isThere(directory)));
  return parts.filter((_, at) => there[at]);
}

async function remove({ environment }: Surroundings, parts: readonly Part[], { runtimeDir }: Paths): Promise<void> {
  await endTmux({ runtimeDir, environment }, 'all');
  for (const { directory } of parts) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
