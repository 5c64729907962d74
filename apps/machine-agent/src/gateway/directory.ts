/** What a gateway keeps for each of its machines: key, journal, buffer and drafts, each machine in a directory of its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMachineKeys } from '../identity/machine-key.ts';
import { AgentDatabase, openDirectory } from '../store/database.ts';
import { adoptIdentity } from '../sync/identity.ts';

const EPOCH = 'epoch';

/** The directory of one machine. */
export function hostDirectory(dataDir: string, machineId: string): string {
  return join(dataDir, 'hosts', machineId);
}

/** The public key by which the gateway speaks for a machine; it is made at the first call. */
export function hostKeyFor(dataDir: string, machineId: string): string {
  return loadMachineKeys(hostDirectory(dataDir, machineId)).current.publicKey;
}

/** Whether what a gateway kept of a machine holds for this epoch: no other gateway has served it since. @param before The epoch of then. */
export function holdsFor(before: number | null, epoch: number): boolean {
  return before === epoch || before === epoch - 1;
}

/**
 * Makes a machine's directory ready for its agent. What is in it holds only as long as no other gateway has served the machine since:
 * otherwise journal, buffer and drafts are of a time that is over, and go. The key stays.
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
