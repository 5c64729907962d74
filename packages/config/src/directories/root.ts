// Finds the root that is meant where a command is typed.
import { access, realpath } from 'node:fs/promises';
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
 * Finds the root: `DROVER_ROOT`, else the nearest directory at or above `from` that holds `drover.toml`.
 *
 * @param from Absolute path to start at, the current directory as a rule.
 */
export async function findRoot({ env, from }: { env: Environment; from: string }): Promise<RootOutcome> {
  if (env.root !== undefined) {
    const root = path.resolve(from, env.root);
    if (await holdsConfig(root)) return { kind: 'found', root: await realpath(root) };
    return missing(`DROVER_ROOT names ${root}, but there is no ${CONFIG_FILE} in it`);
  }
  for (let directory = path.resolve(from); ; directory = path.dirname(directory)) {
    if (await holdsConfig(directory)) return { kind: 'found', root: await realpath(directory) };
    if (directory === path.dirname(directory)) break;
  }
  return missing(`There is no ${CONFIG_FILE} in ${from} or above it`);
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
