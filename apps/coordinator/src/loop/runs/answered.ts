/** Takes the answer of a machine to a query of a run: the outcome of the request becomes an event of the run. */
import type { RunOutcome, RunRequest } from '@drover/core';
import type { Observation, Query, QueryResult } from '@drover/protocol';
import type { DueWork, FinishOutcome, Machine, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { redactorOf } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { requestRow, runEventDue } from './due.ts';
import { outcomeDue } from './settle.ts';

/** Request that a machine carries out. */
export type MachineRequest = Extract<RunRequest, { readonly kind: 'pin' | 'check' | 'join' | 'accept' }>;

type RunQuery = Extract<Query, { readonly run: string }>;

/** An answer to a query of a run. */
interface RunAnswer {
  readonly query: RunQuery;
  readonly result: QueryResult;
}

/** Finds the answers to queries of runs, by the number of their observation: before the queries end. */
export async function askedByRuns(
  tx: StoreTransaction,
  machine: Pick<Machine, 'id'>,
  news: readonly Observation[],
): Promise<ReadonlyMap<number, RunAnswer>> {
  const asked = new Map<number, RunAnswer>();
  for (const { seq, body } of news) {
    if (body.kind !== 'answer') continue;
    const given = await tx.readGivenCommand(machine.id, body.commandId);
    if (given?.body.kind !== 'query' || !('run' in given.body.query)) continue;
    asked.set(seq, { query: given.body.query, result: body.result });
  }
  return asked;
}

/** Tells runs of the answers that count, in the transaction that stores them. @returns wake-ups for after the commit. */
export async function tellRuns(
  ctx: Context,
  tx: StoreTransaction,
  {
    asked,
    ended,
  }: {
    readonly asked: ReadonlyMap<number, RunAnswer>;
    readonly ended: ReadonlyMap<number, FinishOutcome>;
  },
): Promise<readonly (() => void)[]> {
  const now = ctx.clock.now();
  const heard = [...asked].flatMap(([seq, answer]) => (ended.get(seq) === 'finished' ? [answer] : []));
  const steps = heard.filter(isStep);
  for (const { query } of steps) await tx.hastenDueWork(requestRow(query.run, query.request), now);
  const told: DueWork[] = [];
  for (const { query, result } of heard) {
    const outcome = outcomeOf(query, redactorOf(ctx).value(result));
    if (outcome === null) continue;
    // A run that ended without its machine has been told that the outcome of its merge is not known.
    const isLate = outcome.kind === 'accepted' && (await tx.hasRunEvent(query.run, outcome.request));
    const due = { runId: query.run, id: `${outcome.request} late`, event: outcome, by: POLICY };
    told.push(isLate ? runEventDue(due, now) : outcomeDue(query.run, outcome, now));
  }
  if (told.length > 0) await tx.schedule(told);
  return told.length + steps.length === 0 ? [] : [() => ctx.hints.due(now)];
}

/** Tells whether the request goes on with the answer: a commit is on its way between machines. */
function isStep({ query, result }: RunAnswer): boolean {
  return query.kind === 'run-bring' || (query.kind === 'run-pin' && query.isCarried && result.kind === 'run-pinned');
}

/** Null: nobody waits for the answer by an event. */
function outcomeOf(query: RunQuery, result: QueryResult): RunOutcome | null {
  const { kind, request } = query;
  if (kind === 'run-bring' || isStep({ query, result })) return null;
  switch (result.kind) {
    case 'run-pinned':
      return kind === 'run-pin' ? { kind: 'pinned', request, commit: result.commit, tree: result.tree } : null;
    case 'run-joined':
      return { kind: 'joined', request, commit: result.commit, tree: result.tree };
    case 'run-conflict': {
      const { items, commit, tree, files } = result;
      return { kind: 'conflict', request, items, commit, tree, files };
    }
    case 'run-checked': {
      const { passed, output, culprit } = result;
      return { kind: 'checked', request, how: passed ? 'passed' : 'failed', output, culprit };
    }
    case 'run-landed':
      return { kind: 'accepted', request, commit: result.commit, offered: result.offered };
    case 'run-forgotten':
      return { kind: 'forgotten', request };
    case 'run-not-landed':
      return { kind: 'not-accepted', request, text: result.text };
    case 'failed':
      return kind === 'run-base' || kind === 'run-forget'
        ? null
        : failedOutcome({ kind: KINDS[kind], id: request }, result.message);
    default:
      return null;
  }
}

const KINDS = { 'run-pin': 'pin', 'run-join': 'join', 'run-check': 'check', 'run-land': 'accept' } as const;

/** Outcome of a request that could not be carried out; nobody's work is at fault. */
export function failedOutcome({ kind, id: request }: Pick<MachineRequest, 'kind' | 'id'>, text: string): RunOutcome {
  switch (kind) {
    case 'pin':
      return { kind: 'not-pinned', request, text };
    case 'check':
    case 'join':
      return { kind: 'checked', request, how: 'cannot-run', output: text, culprit: null };
    case 'accept':
      return { kind: 'not-accepted', request, text, isLost: true };
    default:
      return kind satisfies never;
  }
}
