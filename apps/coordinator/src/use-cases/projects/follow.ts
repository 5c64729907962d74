/**
 * Lets the workers of a project follow its document. The caller who applies it tells them at once. Due work tells them again, because a
 * coordinator may die between the two.
 */
import { invariant } from '@drover/core';
import type { Cause, DueWork, Project } from '@drover/store';
import { z } from 'zod';
import type { Context } from '../../context/context.ts';
import { storedCause } from '../../facts/people/causes.ts';
import { saidOf } from '../../facts/workers/defaults.ts';
import { followAll } from '../../loop/subjects/live.ts';
import type { Followed } from '../../loop/subjects/live.ts';

/** Milliseconds after which the writer of the document has told its workers, or is gone. */
const AGAIN_AFTER_MS = 10_000;

const followPayload = z.object({ by: storedCause });

/** Builds the work that is due after a document was stored. */
export function followDue(projectId: string, by: Cause, now: number): DueWork {
  return { kind: 'project', key: projectId, projectId, dueAt: now + AGAIN_AFTER_MS, payload: { by } };
}

/** @returns the workers whose options change; none where the document does not mention workers. */
export async function followWorkers(
  ctx: Pick<Context, 'store' | 'clock' | 'hints'>,
  { id, config: { workers } }: Project,
  how: { readonly by: Cause; readonly dryRun: boolean },
): Promise<readonly Followed[]> {
  if (workers === undefined) return [];
  return followAll(ctx, {
    ...how,
    says: ({ projectId, name }) => (projectId === id ? saidOf(workers, name) : null),
  });
}

/** Does the due work. Finishes the row last: a process that dies leaves it to another. */
export async function followDocument(ctx: Context, work: DueWork): Promise<void> {
  const { by } = followPayload.parse(work.payload);
  const { projectId } = work;
  invariant(projectId !== undefined, 'The row names no projectId');
  const project = await ctx.store.transaction((tx) => tx.readProject(projectId));
  if (project !== null) await followWorkers(ctx, project, { by, dryRun: false });
  await ctx.store.transaction((tx) => tx.finishDueWork(work));
}
