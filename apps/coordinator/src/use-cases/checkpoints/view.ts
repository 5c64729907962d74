/** Shows a checkpoint to people. */
import type { CheckpointDetailView, CheckpointView } from '@drover/api';
import type { QueryResult } from '@drover/protocol';
import type { CheckpointRow } from '@drover/store';
import { tellCause } from '../../facts/people/causes.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import type { Roster } from '../../facts/workers/find.ts';

/** Characters of a prompt that a list shows. */
const PROMPT_SHOWN = 200;

/** Shows one checkpoint; a missing project or machine is shown by its id. */
export function checkpointView({ projects, machines }: Roster, row: CheckpointRow): CheckpointView {
  return {
    id: row.id,
    shortId: shortIdOf(row.id),
    worker: row.workerName,
    project: projects.find(({ id }) => id === row.projectId)?.name ?? row.projectId,
    machine: machines.find(({ id }) => id === row.machineId)?.name ?? row.machineId,
    at: row.createdAt,
    type: row.type,
    why: row.why,
    by: tellCause(row.actor),
    files: row.files,
    task: row.taskId,
    prompt: row.prompt === null ? null : row.prompt.slice(0, PROMPT_SHOWN),
    incident: row.incidentId,
    commit: row.commit,
    conversation: row.conversation !== null,
  };
}

/** A machine's report on a checkpoint's commit. */
export type Inspected = Extract<QueryResult, { kind: 'checkpoint' }>;

/** Report on a checkpoint without a commit: nothing could be damaged. */
export const NOTHING_KEPT: Inspected = {
  kind: 'checkpoint',
  damage: null,
  head: '',
  files: [],
  fileCount: 0,
  skipped: [],
  during: null,
};

/** Shows one checkpoint with its machine's report. */
export function checkpointDetail(
  view: CheckpointView,
  { damage, head, files, fileCount, skipped, during }: Inspected,
): CheckpointDetailView {
  return { ...view, damage, head, changes: files, changeCount: fileCount, skipped, during };
}
