/** Takes the answer of a machine to a query of a run: the outcome of the request becomes an event of the run. */
import type { RunOutcome, RunRequest } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import type { StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { redactorOf } from '../../context/context.ts';
import { outcomeDue } from './settle.ts';

/** Request that a machine carries out. */
export type MachineRequest = Extract<RunRequest, { readonly kind: 'pin' | 'check' | 'join' | 'accept' }>;

type RunQuery = Extract<Query, { readonly run: string }>;

/** Returns the query of a run that a command asks; null: another one. */
export function runQueryOf(query: Query): RunQuery | null {
  return 'run' in query ? query : null;
}

/** Tells the run of the answer, in the transaction that stores the answer. @returns the wake-up; null: the run asked nothing. */
export async function runAnswered(
  ctx: Context,
  tx: StoreTransaction,
  { query, result }: { readonly query: RunQuery; readonly result: QueryResult },
): Promise<(() => void) | null> {
  const outcome = outcomeOf(query, redactorOf(ctx).value(result));
  if (outcome === null) return null;
  const now = ctx.clock.now();
  await tx.schedule([outcomeDue(query.run, outcome, now)]);
  return () => ctx.hints.due(now);
}

/** Null: nobody waits for the answer by an event. */
function outcomeOf({ kind, request }: RunQuery, result: QueryResult): RunOutcome | null {
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
      return { kind: 'accepted', request, commit: result.commit };
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
      return { kind: 'not-accepted', request, text };
    default:
      return kind satisfies never;
  }
}
