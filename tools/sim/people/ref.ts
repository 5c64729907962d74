// Names a worker as people do, where two projects may have a worker of the same name.
import type { WorkerRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';

/** `project/name`. */
export function refOf(
  { projects }: MemoryDatabase,
  { projectId, name }: Pick<WorkerRow, 'projectId' | 'name'>,
): string {
  return `${projects.get(projectId)?.name ?? ''}/${name}`;
}
