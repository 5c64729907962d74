/** What is due for a worker that moves: what goes along is carried, and what is left behind is cleared. */
import type { DueWork, WorkerRow } from '@drover/store';
import { z } from 'zod';

/** Carries what goes along with the move. `since`: when it began, epoch milliseconds. */
export const carriagePayload = z.object({ workerId: z.string(), move: z.string(), since: z.number() });

/** Clears a place: it names all that its machine must know, so that it is done also when the worker is gone by then. */
export const leavingPayload = z.object({
  move: z.string(),
  /** How often its machine has failed at it. */
  failed: z.number(),
  since: z.number(),
  place: z.custom<PlaceRow>((value) => typeof value === 'object' && value !== null && 'machineId' in value),
});

/** The worker as it was known to the machine that it left. */
export type PlaceRow = Pick<WorkerRow, 'id' | 'name' | 'projectId' | 'machineId' | 'options'>;

/** At once. */
export function carriageDue(workerId: string, { move, now }: { move: string; now: number }): DueWork {
  const payload: z.infer<typeof carriagePayload> = { workerId, move, since: now };
  return { kind: 'move', key: `${workerId}:${move}`, dueAt: now, payload };
}

/** At once: a machine that is away has the command waiting for it. */
export function leavingDue(
  { id, name, projectId, machineId, options }: PlaceRow,
  { move, now }: { move: string; now: number },
): DueWork {
  const place = { id, name, projectId, machineId, options };
  const payload: z.infer<typeof leavingPayload> = { move, failed: 0, since: now, place };
  return { kind: 'leave-place', key: `${machineId}:${move}`, dueAt: now, payload };
}
