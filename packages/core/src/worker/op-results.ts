/** Which results belong to which order? What a machine answers beyond them says nothing of the order. */
import type { Op, OpKind, OpResult } from './op.ts';

type ResultKind = OpResult['kind'];

/** How each order can end, beside `failed` and `unknown`, which are the end of any. */
export const RESULTS = {
  prepare: ['prepared'],
  open: ['opened', 'pane-gone'],
  respawn: ['opened', 'pane-gone'],
  close: ['closed'],
  deliver: ['delivered', 'queued', 'refused', 'lost', 'partial'],
  look: ['looked'],
  answer: ['answered', 'stale', 'pane-gone'],
  checkpoint: ['checkpointed'],
  restore: ['restored'],
  rebase: ['rebased', 'conflict', 'changed'],
  validate: ['valid', 'invalid', 'changed'],
  squash: ['squashed', 'nothing-to-merge', 'changed'],
  'fast-forward': ['merged', 'moved', 'blocked', 'changed'],
  recycle: ['recycled', 'changed'],
  remove: ['removed', 'not-removed'],
} as const satisfies Readonly<Record<OpKind, readonly ResultKind[]>>;

type Placed = (typeof RESULTS)[OpKind][number] | 'failed' | 'unknown';

/** Does not compile while a kind of result belongs to no order. */
const OF_ANY: readonly ResultKind[] = ['failed', 'unknown'] satisfies readonly (ResultKind extends Placed
  ? ResultKind
  : never)[];

/** Whether an order can end in this way. */
export function belongsTo(op: Op, result: OpResult): boolean {
  const own: readonly ResultKind[] = RESULTS[op.kind];
  return own.includes(result.kind) || OF_ANY.includes(result.kind);
}
