// Finds files of Drover that another user of this machine can read, and puts their modes right.
import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Directories below the data directory whose files hold secrets; Postgres looks after its own. */
const WITH_SECRETS = ['.', 'agent', path.join('agent', 'hooks')];

/** A file or directory that was open to others, and the mode that it had. */
type Repaired = { readonly path: string; readonly mode: string };

/**
 * Takes every right of other users from the files of a data directory: tokens, keys, journals.
 *
 * @returns what was open. Links are passed over: what they lead to is not Drover's.
 */
export async function closeToOthers(dataDir: string): Promise<readonly Repaired[]> {
  const repaired: Repaired[] = [];
  for (const below of WITH_SECRETS) {
    const directory = path.join(dataDir, below);
    const names = await readdir(directory).catch((): string[] => []);
    for (const name of names) {
      const found = path.join(directory, name);
      const stats = await lstat(found).catch(() => undefined);
      if (stats === undefined || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) continue;
      if (stats.isDirectory() && name === 'postgres') continue;
      await chmod(found, stats.mode & 0o700);
      repaired.push({ path: found, mode: (stats.mode & 0o777).toString(8) });
    }
  }
  return repaired;
}
