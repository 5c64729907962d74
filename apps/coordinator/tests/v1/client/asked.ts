/** Changes the question of `fleetOfTwo`, also with a worker that waits for the answer. */
import type { Scene } from '../../support/fleet-of-two.ts';
import { open4 } from '../../support/questions.ts';
import { decided } from '../../support/scene.ts';

/** Changes the row of the question. */
export async function settled({ store, own }: Scene, patch: object): Promise<void> {
  await store.transaction(async (tx) => {
    const row = await tx.lockEscalation(own.escalation);
    if (row !== null) await tx.saveEscalation({ ...row, ...patch });
  });
}

/** Lets the worker of the question wait for its answer. */
export async function waiting(scene: Scene): Promise<void> {
  const { ctx, store, own } = scene;
  const row = await store.readEscalation(own.escalation);
  if (row?.incidentId == null) throw new Error('The question is of no incident');
  await decided(ctx, row.workerId, { records: [], patch: open4(row.incidentId) });
}
