/** From which depot does a worker's clone fetch, where its repository is on another machine? */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerSettings } from '@drover/protocol';
import { depotsOf } from '../execute/depots.ts';

/** Null: it fetches from the source itself, or there is no depot yet. */
export async function depotOfClone({ project }: WorkerSettings, dataDir: string): Promise<string | null> {
  if (project.elsewhere !== true) return null;
  return realpath(join(depotsOf(dataDir), project.id, 'depot.git')).catch(() => null);
}
