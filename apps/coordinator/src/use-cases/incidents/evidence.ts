/**
 * What a worker's terminal and git said when something failed. The machine is asked in the transaction that writes the error or the question,
 * by a query that has its id, and the answer is written into it. Lines of the pane that the event itself brought are older, and stay.
 */
import type { QueryResult } from '@drover/protocol';
import type { Evidence, StoreTransaction } from '@drover/store';
import { redactorOf } from '../context.ts';
import type { Context } from '../context.ts';
import type { About } from '../decisions/about.ts';
import { lastOf, PANE_LINES } from '../escalations/bundle.ts';
import { contextOf } from '../escalations/context.ts';
import { placed } from '../projects/place.ts';
import { workerSettings } from '../workers/settings.ts';

/** How long the machine may take, in milliseconds: a person who looks sooner sees the rest without it. */
const READ_MS = 15_000;

/** Of which worker, where. */
type Asking = Pick<About, 'row' | 'after' | 'project' | 'machine' | 'now'>;

/** Asks for it, unless the machine is what is lost, or the worker has neither a pane nor a worktree. `id`: of the error or the question. */
export async function askForEvidence(
  tx: StoreTransaction,
  { about, id, code }: { readonly about: Asking; readonly id: string; readonly code: string },
): Promise<void> {
  const { row, after, project, machine, now } = about;
  const hasPlace = after.session.pane.kind !== 'absent' || after.worktree.place.kind === 'ready';
  if (code === 'MACHINE_LOST' || machine === null || !hasPlace) return;
  const query = { kind: 'read-pane', lines: PANE_LINES, git: true } as const;
  const target = {
    id,
    machineId: row.machineId,
    workerId: row.id,
    seat: workerSettings(row, placed(project, machine)),
  };
  await tx.insertCommands([{ ...target, body: { kind: 'query', query }, timeoutMs: READ_MS }], now);
}

/** A query was answered. If an error or a question asked it, it shows the answer; that is no other asking. */
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
  if (error !== null) await tx.saveEvidence(id, merged(error.evidence ?? { pane: [], git: [] }, read));
}

function merged(known: Evidence, read: Evidence): Evidence {
  return {
    pane: known.pane.length > 0 ? known.pane : read.pane,
    git: read.git.length > 0 ? read.git : known.git,
  };
}
