/**
 * Carries a checkpoint from the machine that holds it into the clone of a worker elsewhere. Each step is a command that is given once,
 * with an id derived from the request: a repeated call, also after the coordinator was replaced, finds the finished steps.
 */
import { createHash } from 'node:crypto';
import type { Refusal } from '@drover/api';
import type { Query, QueryResult } from '@drover/protocol';
import type { WorkerRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import { askOnce } from './query.ts';
import type { Asked } from './query.ts';
import type { Context } from '../../context/context.ts';

/** Bytes of one parcel. Source: the default of `coordinator.parcel_max_mib`. */
const PARCEL_BYTES_MAX = 1024 ** 3;

/** Returns the bytes of the largest parcel that this coordinator takes. */
export function parcelBytesMax({ parcelBytes = PARCEL_BYTES_MAX }: Context): number {
  return parcelBytes;
}

/** Source and target of a checkpoint. */
export interface Carriage {
  /** Id of the request that caused the transfer. */
  readonly requestId: string;
  /** Holder of the checkpoint in a clone, and the worker that receives it. */
  readonly from: Asked;
  readonly to: WorkerRow;
  readonly checkpoint: { readonly id: string; readonly commit: string };
  /** Milliseconds that this call waits at most; default `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

/** Result of a call; `under-way`: ask again with the same request. */
export type Carried = { readonly kind: 'carried' } | { readonly kind: 'under-way'; readonly doing: string } | Refusal;

/** Milliseconds that one call waits: less than its caller does. */
const PATIENCE_MS = 10_000;
/** Milliseconds in which a machine may pack and send a parcel, or fetch and check one. */
export const STEP_MS = 20 * 60_000;
/** Parcels that are sent for one request: a damaged or expired parcel is sent again twice. */
export const TRIES = 3;

/** Failures after which a parcel is sent again: a failed parcel, or a machine agent that ended in the middle of the work. */
const SENT_AGAIN: ReadonlySet<string> = new Set(['parcel-damaged', 'parcel-gone', 'agent-restarted']);

/** Does the next steps, as far as they finish within some seconds. */
export async function carryCheckpoint(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  carriage: Carriage,
): Promise<Carried> {
  const { from, to, checkpoint, requestId, patienceMs = PATIENCE_MS } = carriage;
  const until = ctx.clock.now() + patienceMs;
  const step = (row: Asked, name: string, query: Query): Promise<QueryResult | null> =>
    askOnce(ctx, waiters, { row, query, id: stepId(requestId, name), timeoutMs: STEP_MS, until });
  const known = await step(to, 'tips', { kind: 'tips' });
  if (known === null) return underWay(`asking the machine of "${to.name}" which commits it has`);
  if (known.kind !== 'tips') return refused(known);
  let not = known.commits;
  let resend = false;
  let last: QueryResult = known;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const { commit } = checkpoint;
    const wanted = { kind: 'pack', commit, not, maxBytes: parcelBytesMax(ctx), resend } as const;
    const packed = await step(from, `pack ${tried}`, wanted);
    if (packed === null) return underWay(`the machine of "${from.name}" packs and sends it`);
    last = packed;
    if (isSentAgain(packed)) continue;
    if (packed.kind !== 'packed') return refused(packed);
    const { sha256, bytes } = packed;
    const unpack = { kind: 'unpack', from: from.machineId, sha256, bytes, commit, checkpoint: checkpoint.id } as const;
    const taken = await step(to, `unpack ${tried}`, unpack);
    if (taken === null) return underWay(`the machine of "${to.name}" fetches and checks it (${sizeOf(bytes)})`);
    if (taken.kind === 'unpacked') return { kind: 'carried' };
    if (taken.kind === 'incomplete') not = [];
    else if (isSentAgain(taken)) resend = true;
    else return refused(taken);
    last = taken;
  }
  return refused(last);
}

/** Tells whether a parcel must be sent once more after this result. */
export function isSentAgain(result: QueryResult): boolean {
  return result.kind === 'failed' && SENT_AGAIN.has(result.code);
}

/** Derives a UUID from the request and the step. */
export function stepId(requestId: string, name: string): string {
  const hex = createHash('sha256').update(`${requestId} ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function underWay(doing: string): Carried {
  return { kind: 'under-way', doing };
}

function refused(result: QueryResult): Refusal {
  const message =
    result.kind === 'failed'
      ? result.message
      : result.kind === 'incomplete'
        ? `The clone lacks ${result.missing[0] ?? 'a commit'}, on which the checkpoint is based`
        : 'The machine answered something else';
  return { kind: 'refused', code: 'not-carried', message: `Cannot fetch the checkpoint: ${message}` };
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}
