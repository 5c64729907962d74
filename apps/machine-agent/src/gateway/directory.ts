/** Directories of a gateway, one for each of its machines: key, journal, buffer and drafts. */
// oxlint-disable-next-line no-restricted-imports -- what a gateway keeps of its machines stays with it
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMachineKeys } from '../identity/machine-key.ts';
import { AgentDatabase, openDirectory } from '../store/database.ts';
import { adoptIdentity } from '../sync/identity.ts';

const EPOCH = 'epoch';

/** Directory of one machine. */
export function hostDirectory(dataDir: string, machineId: string): string {
  return join(dataDir, 'hosts', machineId);
}

/** Public key by which the gateway speaks for a machine, made at the first call. */
export function hostKeyFor(dataDir: string, machineId: string): string {
  return loadMachineKeys(hostDirectory(dataDir, machineId)).current.publicKey;
}

/**
 * Tells whether a machine's data are still valid in this epoch: no other gateway has served it since. @param before The epoch in which the
 * data were saved.
 */
export function holdsFor(before: number | null, epoch: number): boolean {
  return before === epoch || before === epoch - 1;
}

/**
 * Makes a machine's directory ready for its agent. Journal, buffer and drafts are valid only if no other gateway has served the machine since:
 * otherwise they are outdated and removed. The key stays.
 */
export function prepareHostDirectory(
  dataDir: string,
  { machineId, epoch, coordinator }: { machineId: string; epoch: number; coordinator: string },
): string {
  const directory = hostDirectory(dataDir, machineId);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, EPOCH);
  const before = existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
  if (!holdsFor(before, epoch)) {
    const old = readdirSync(directory).filter((name) => !name.startsWith('machine-key'));
    for (const name of old) rmSync(join(directory, name), { recursive: true, force: true });
  }
  writeFileSync(`${file}.new`, `${epoch}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  using db = new AgentDatabase(openDirectory(directory));
  adoptIdentity(db, { machineId, coordinator });
  return directory;
}
