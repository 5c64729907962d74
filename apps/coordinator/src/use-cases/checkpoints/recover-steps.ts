/** Puts the steps of a recovery in words, and tells its progress. */
import { inHand } from '@drover/core';
import type { CheckpointDetailView, CheckpointFleet, Outcome, RecoveryProgressView } from '@drover/api';
import type { CheckpointRow, EventRow, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { findWorker } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import type { Asked } from '../../facts/machines/query.ts';

/** Parts of a planned recovery. */
export interface Recovering {
  readonly row: WorkerRow;
  readonly checkpoint: CheckpointRow;
  readonly detail: CheckpointDetailView;
  readonly resetAgent: boolean;
  /** A worker in the clone that holds the checkpoint, if that is another clone. */
  readonly elsewhere: Asked | null;
}

/** Lists every step, in order. */
export function recoverySteps(recovering: Recovering): string[] {
  const { row, checkpoint, resetAgent } = recovering;
  const { pane } = row.state.session;
  const resumes = !resetAgent && checkpoint.conversation !== null && checkpoint.workerId === row.id;
  const session = pane.kind === 'absent' ? [] : ['close its session, and the agent in it'];
  const machine = recovering.detail.machine;
  const fetched = recovering.elsewhere === null ? [] : [`fetch the checkpoint from the machine "${machine}"`];
  return [
    ...fetched,
    ...session,
    ...worktreeSteps(recovering),
    `start ${row.options.profile} with ${resumes ? 'its conversation from that time' : 'a new conversation'}`,
    taskStep(inHand(row.state.task), checkpoint),
    'wait until it has taken the text',
  ];
}

/** Tells which task the agent is given, and which it loses: a checkpoint brings the prompt of its own task back. */
export function taskStep(
  now: { readonly id: string; readonly prompt: string } | null,
  { taskId, prompt }: { readonly taskId: string | null; readonly prompt: string | null },
): string {
  if (now === null || prompt === null || now.id === taskId)
    return `give it the task again: "${firstLine(now?.prompt ?? prompt ?? '')}"`;
  return `give it the task of the checkpoint: "${firstLine(prompt)}"; its present task ends: "${firstLine(now.prompt)}"`;
}

function worktreeSteps({ checkpoint, detail }: Recovering): string[] {
  if (checkpoint.commit === null) return [];
  const head = detail.head.slice(0, 10);
  const files = `${detail.changeCount} file${detail.changeCount === 1 ? '' : 's'} with uncommitted changes`;
  const back =
    detail.during === null
      ? `bring its branch to ${head}, with ${files}`
      : `bring its branch to where it was before the unfinished ${detail.during}, without uncommitted changes`;
  const skipped = detail.skipped.map(({ path }) => path).join(', ');
  return [
    'save the present work of its worktree under refs/drover/checkpoints',
    back,
    ...(skipped === ''
      ? []
      : [`leave these files unchanged, because the checkpoint does not contain them: ${skipped}`]),
  ];
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

/** Lines of history that are searched for the request. */
const EVENTS_READ_MAX = 200;

/** Tells the progress of a requested recovery. Reads everything from the row and its history: any replica can answer. */
export async function recoveryProgress(
  ctx: Context,
  { requestId, worker }: Parameters<CheckpointFleet['recovery']>[0],
  by: Reach,
): Promise<Outcome<RecoveryProgressView>> {
  const found = await findWorker(ctx, by, worker);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const newestFirst = await ctx.store.listEvents({ of: { workerId: row.id }, limit: EVENTS_READ_MAX });
  const since = newestFirst.slice(0, newestFirst.findIndex((event) => event.requestId === requestId) + 1);
  return { kind: 'ok', value: progressOf(row, since) };
}

function progressOf(row: WorkerRow, since: readonly EventRow[]): RecoveryProgressView {
  return { ...stageOf(row, since), kept: keptBy(since) };
}

/** Finds the place where a restore saved the previous work. */
function keptBy(since: readonly EventRow[]): string | null {
  const restored = since.flatMap(({ event }) =>
    event.kind === 'command-finished' && event.result.kind === 'restored' ? [event.result.saved] : [],
  );
  return restored[0] ?? null;
}

function stageOf({ state, name }: WorkerRow, since: readonly EventRow[]): Omit<RecoveryProgressView, 'kept'> {
  const failed = since.find(({ rules }) => rules.includes('restore-failed'));
  if (failed !== undefined) return { stage: 'failed', note: noticeOf(failed) ?? state.lifecycle.note };
  if (state.lifecycle.status === 'error') return { stage: 'failed', note: state.lifecycle.note };
  if (state.checkpoint.restore !== null) {
    if (state.session.pane.kind !== 'absent') return { stage: 'closing', note: 'closing its session' };
    return { stage: 'restoring', note: 'restoring its worktree' };
  }
  if (state.session.pane.kind !== 'up') return { stage: 'starting', note: 'starting its agent' };
  if (state.mailbox.current !== null || state.mailbox.restoreDue)
    return { stage: 'telling', note: 'giving it the task again' };
  return { stage: 'answers', note: `${name} has taken its task again` };
}

function noticeOf({ records }: EventRow): string | undefined {
  for (const entry of records) if (entry.kind === 'notice') return entry.text;
  return undefined;
}
