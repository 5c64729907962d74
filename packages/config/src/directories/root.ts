// Finds the root that is meant where a command is typed.
import { access, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';

/** Name of the configuration file; the directory that holds it is the root. */
export const CONFIG_FILE = 'drover.toml';

/** A file in the data directory that names its root, so that what is left of a deleted root can be told from what is used. */
export const ROOT_NOTE = 'root';

/** The root, with its links resolved, or a message for a person. */
export type RootOutcome =
  | { readonly kind: 'found'; readonly root: string }
  | { readonly kind: 'missing'; readonly message: string };

/**
 * Finds the root: `DROVER_ROOT`, else the nearest directory at or above `from` that holds `drover.toml`, or whose root
 * lies beside it, where `drover init` makes it.
 *
 * @param from Absolute path to start at, the current directory as a rule.
 */
export async function findRoot({ env, from }: { env: Environment; from: string }): Promise<RootOutcome> {
  if (env.root !== undefined) {
    const root = path.resolve(from, env.root);
    if (await holdsConfig(root)) return { kind: 'found', root: await realpath(root) };
    return missing(`DROVER_ROOT names ${root}, but there is no ${CONFIG_FILE} in it`);
  }
  for (const directory of upwards(from)) {
    if (await holdsConfig(directory)) return { kind: 'found', root: await realpath(directory) };
    const beside = rootBeside(directory);
    if (await isRootOf(beside, directory)) return { kind: 'found', root: await realpath(beside) };
  }
  return missing(`There is no ${CONFIG_FILE} in ${from} or above it, and no root beside it`);
}

/** Returns the root around a directory; undefined if none is. */
export async function rootAround(directory: string): Promise<string | undefined> {
  for (const one of upwards(directory)) if (await holdsConfig(one)) return one;
  return undefined;
}

/** Names the directory in which `drover init` makes the root of a source. */
export function rootBeside(source: string): string {
  return `${source}-drover`;
}

function upwards(from: string): readonly string[] {
  const directory = path.resolve(from);
  const above = path.dirname(directory);
  return above === directory ? [directory] : [directory, ...upwards(above)];
}

/** Tells whether a root names this source. A root of another user is none: its commands would run with our rights. */
async function isRootOf(root: string, source: string): Promise<boolean> {
  try {
    const text = await readFile(path.join(root, CONFIG_FILE), 'utf8');
    const { parse } = await import('smol-toml');
    const { repo } = parse(text);
    const named = typeof repo === 'object' && 'source' in repo ? repo['source'] : undefined;
    if (typeof named !== 'string') return false;
    // Its file may be a link to one of ours.
    const [ours, ...theirs] = await Promise.all([stat(source), stat(root), stat(path.join(root, CONFIG_FILE))]);
    const isOurs = theirs.every(({ uid }) => uid === ours.uid);
    return isOurs && (await realpath(path.resolve(root, named))) === (await realpath(source));
  } catch {
    return false;
  }
}

async function holdsConfig(directory: string): Promise<boolean> {
  return access(path.join(directory, CONFIG_FILE)).then(
    () => true,
    () => false,
  );
}

function missing(fact: string): RootOutcome {
  return {
    kind: 'missing',
    message: `${fact}. Run \`drover init\` in the project's directory, or set DROVER_ROOT to a directory that has one.`,
  };
}
