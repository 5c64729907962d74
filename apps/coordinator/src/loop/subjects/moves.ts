/** Defines due work of a worker that moves: carrying its work along, and clearing the place that it left. */
import type { DueWork, WorkerRow } from '@drover/store';
import { z } from 'zod';

/** Carries the work along with the move. `since`: start of the move, epoch milliseconds. */
export const carriagePayload = z.object({ workerId: z.string(), move: z.string(), since: z.number() });

/** Clears a place: names all that its machine must know, so that the clearing works also when the worker is gone by then. */
export const leavingPayload = z.object({
  move: z.string(),
  /** Number of times that its machine has failed to clear the place. */
  failed: z.number(),
  since: z.number(),
  place: z.custom<PlaceRow>((value) => typeof value === 'object' && value !== null && 'machineId' in value),
});

/** The worker as the machine that it left knew it. */
export type PlaceRow = Pick<WorkerRow, 'id' | 'name' | 'projectId' | 'machineId' | 'options'>;

/** Schedules the carriage for now. */
export function carriageDue(workerId: string, { move, now }: { move: string; now: number }): DueWork {
  const payload: z.infer<typeof carriagePayload> = { workerId, move, since: now };
  return { kind: 'move', key: `${workerId}:${move}`, dueAt: now, payload };
}

/** Schedules the clearing for now: a machine that is away gets the command later. */
export function leavingDue(
  { id, name, projectId, machineId, options }: PlaceRow,
  { move, now }: { move: string; now: number },
): DueWork {
  const place = { id, name, projectId, machineId, options };
  const payload: z.infer<typeof leavingPayload> = { move, failed: 0, since: now, place };
  return { kind: 'leave-place', key: `${machineId}:${move}`, dueAt: now, payload };
}
