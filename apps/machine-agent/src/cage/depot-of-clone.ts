/** From which depot does a worker's clone fetch, where its repository is on another machine? */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { depotsOf } from '../execute/depots.ts';

/** Null: it fetches from the source itself, or there is no depot yet. */
export async function depotOfClone(
  files: Files,
  { project }: WorkerSettings,
  machineDir: string,
): Promise<string | null> {
  if (project.elsewhere !== true) return null;
  return (await files.realpath(join(depotsOf(machineDir), project.id, 'depot.git'))) ?? null;
}
