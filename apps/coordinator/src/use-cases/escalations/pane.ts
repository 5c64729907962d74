/**
 * The last lines of the pane, for a question whose event brought none: its machine is asked for them in the question's transaction,
 * by a query that has the question's id, and its answer is written into the question.
 */
import type { QueryResult } from '@drover/protocol';
import type { EscalationRow, StoreTransaction } from '@drover/store';
import { redactorOf } from '../context.ts';
import type { Context } from '../context.ts';
import type { About } from '../decisions/about.ts';
import { placed } from '../projects/place.ts';
import { workerSettings } from '../workers/settings.ts';
import { lastOf, PANE_LINES } from './bundle.ts';
import { contextOf } from './context.ts';

/** How long the machine may take, in milliseconds: a person who looks sooner sees the question without the lines. */
const READ_MS = 15_000;

/** Asks for them, unless they are known, or the machine is what is lost, or there is no pane. */
export async function askForPane(
  tx: StoreTransaction,
  { about, question }: { readonly about: About; readonly question: EscalationRow },
): Promise<void> {
  const { row, after, project, machine, now } = about;
  const { pane, code } = contextOf(question);
  if (pane.length > 0 || code === 'MACHINE_LOST' || after.session.pane.kind === 'absent') return;
  const query = { kind: 'read-pane', lines: PANE_LINES } as const;
  const seat = workerSettings(row, placed(project, machine));
  const target = { id: question.id, machineId: row.machineId, workerId: row.id, seat };
  await tx.insertCommands([{ ...target, body: { kind: 'query', query }, timeoutMs: READ_MS }], now);
}

/** A query was answered. If a question asked it, its lines are shown with the question; that is no other asking. */
export async function notePane(
  ctx: Context,
  tx: StoreTransaction,
  { id, result }: { readonly id: string; readonly result: QueryResult },
): Promise<void> {
  if (result.kind !== 'pane') return;
  const question = await tx.lockEscalation(id);
  if (question === null) return;
  const context = { ...contextOf(question), pane: lastOf(redactorOf(ctx).text(result.text)) };
  await tx.saveEscalation({ ...question, context, updatedAt: ctx.clock.now() });
}
