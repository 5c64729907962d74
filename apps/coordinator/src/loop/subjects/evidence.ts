/**
 * Collects a worker's terminal and git output after a failure. The transaction that writes the error or the question asks the machine, by
 * a query with the same id, and the answer is written into the row. Lines of the pane that the event itself brought are older, and stay.
 */
import type { QueryResult } from '@drover/protocol';
import type { EscalationRow, Evidence, NewCommand, StoreTransaction } from '@drover/store';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import type { About, Saving } from '../about.ts';
import { lastOf, PANE_LINES } from '../escalations/bundle.ts';
import { contextOf, isOpen } from '../../facts/escalations/context.ts';
import { placed } from '../../facts/projects/place.ts';
import { workerSettings } from '../../facts/workers/settings.ts';

/** Milliseconds that the machine may take: a person who opens the question sooner sees the rest without the answer. */
const READ_MS = 15_000;

/** Worker that is asked about, and its place. */
type Asking = Pick<About, 'row' | 'after' | 'project' | 'machine'>;

/**
 * Builds the query for the evidence; null: the machine is lost, or the worker has neither a pane nor a worktree. `id`: of the error or
 * the question.
 */
export function evidenceQuery(
  { row, after, project, machine }: Asking,
  { id, code }: { readonly id: string; readonly code: string },
): NewCommand | null {
  const hasPlace = after.session.pane.kind !== 'absent' || after.worktree.place.kind === 'ready';
  if (code === 'MACHINE_LOST' || machine === null || !hasPlace) return null;
  return {
    id,
    machineId: row.machineId,
    workerId: row.id,
    body: { kind: 'query', query: { kind: 'read-pane', lines: PANE_LINES, git: true } },
    settings: workerSettings(row, placed(project, machine)),
    timeoutMs: READ_MS,
  };
}

/** Offsets in the id of a query that rereads a pane: the number of the asking, then the rest of the question's id. */
const [ASKING_FROM, QUESTION_FROM] = [9, 13];

/** Asks the machine once more when a question opens again: its pane and git output are older than the answer that failed. */
export async function rereadEvidence(
  tx: StoreTransaction,
  { about, question }: { readonly about: Saving; readonly question: EscalationRow },
): Promise<void> {
  const asking = question.asked.toString(16).padStart(4, '0').slice(-4);
  const id = `${question.id.slice(0, ASKING_FROM)}${asking}${question.id.slice(QUESTION_FROM)}`;
  if (await tx.hasCommand(id)) return;
  about.changes.ask(evidenceQuery(about, { id, code: contextOf(question).code }), about.now);
}

/** Writes the answer of a query into the error or question that asked it; that is no other asking. */
export async function noteEvidence(
  ctx: Context,
  tx: StoreTransaction,
  { id, result }: { readonly id: string; readonly result: QueryResult },
): Promise<void> {
  if (result.kind !== 'pane') return;
  const redactor = redactorOf(ctx);
  const read: Evidence = {
    pane: lastOf(redactor.text(result.text)),
    git: (result.git ?? []).map((line) => redactor.text(line)),
  };
  const question = await tx.lockEscalation(id);
  if (question !== null) {
    const known = contextOf(question);
    const { pane, git } = merged({ pane: known.pane, git: known.gitStatus }, read);
    await tx.saveEscalation({
      ...question,
      context: { ...known, pane, gitStatus: git },
      updatedAt: ctx.clock.now(),
    });
    return;
  }
  const error = await tx.readError(id);
  if (error === null) return noteReread(ctx, tx, { id, read });
  await tx.saveEvidence(id, merged(error.evidence ?? { pane: [], git: [] }, read));
}

/** Refreshes a question that opened again and asked for this. */
async function noteReread(
  ctx: Context,
  tx: StoreTransaction,
  { id, read }: { readonly id: string; readonly read: Evidence },
): Promise<void> {
  const [found] = await tx.listEscalations({ idPart: id.slice(QUESTION_FROM), open: true, limit: 1 });
  const question = found === undefined ? null : await tx.lockEscalation(found.id);
  if (question === null || !isOpen(question)) return;
  const context = { ...contextOf(question), pane: read.pane, gitStatus: read.git };
  await tx.saveEscalation({ ...question, context, updatedAt: ctx.clock.now() });
}

function merged(known: Evidence, read: Evidence): Evidence {
  return {
    pane: known.pane.length > 0 ? known.pane : read.pane,
    git: read.git.length > 0 ? read.git : known.git,
  };
}
