/**
 * Names the process of `drover up` of a root, from its start to its end. The endpoint file exists only while the
 * process serves; `drover down --force` must also end a process that is starting or closing its database.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDrover } from './processes.ts';

const FILE = 'up.pid';

/** @returns the process, if it runs; null: there is none. */
export async function readUp(dataDir: string): Promise<number | null> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => '');
  const pid = Number(text.trim());
  return Number.isInteger(pid) && pid > 0 && isDrover(pid) ? pid : null;
}

/** Writes this process's id for other commands, unless another `up` is there: its locks will refuse this one. */
export async function claimUp(dataDir: string, pid: number): Promise<void> {
  const other = await readUp(dataDir);
  if (other === null || other === pid) await writeFile(path.join(dataDir, FILE), `${pid}\n`, { mode: 0o600 });
}

/** Removes the file, if the file still names this process. */
export async function releaseUp(dataDir: string, pid: number): Promise<void> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => '');
  if (text.trim() === String(pid)) await rm(path.join(dataDir, FILE), { force: true });
}
