/** Releases the machines of a revoked or removed gateway: another gateway may take them at once. */
import type { Actor } from '@drover/api';
import type { Machine, SshMachine, StoreTransaction } from '@drover/store';
import { sha256 } from '../../../context/sha256.ts';
import type { Context } from '../../../context/context.ts';
import { aboutMachine } from '../change.ts';
import { causeOf } from '../../../facts/people/causes.ts';
import { gatewayLock } from './lease.ts';
import { lockedSsh } from './serve.ts';

/** Gateway that loses its machines, and the cause. */
export interface Release {
  readonly gateway: Pick<Machine, 'id' | 'name'>;
  readonly by: Actor;
  /** Opens the machines that this gateway alone might serve to any other gateway from now on. */
  readonly opens: boolean;
}

/**
 * Ends the gateway's leases and its hold on its machines: their keys, sessions and the tokens of their workers. A machine without a lease
 * may still be known by the key that this gateway made when it served it: no other gateway speaks for the machine, so that key ends, too.
 */
export async function releaseMachines(
  ctx: Context,
  tx: StoreTransaction,
  { gateway, by, opens }: Release,
): Promise<void> {
  await tx.lockName(gatewayLock(gateway.id));
  for (const { id } of await tx.listMachines()) {
    const machine = await lockedSsh(tx, id);
    if (machine === null) continue;
    const { ssh } = machine;
    const isOpened = opens && ssh.onlyGateway?.id === gateway.id;
    const isHeld = ssh.gateway === null || ssh.gateway.id === gateway.id;
    const onlyGateway = isOpened ? null : ssh.onlyGateway;
    if (isHeld) await endAccess(ctx, tx, machine);
    if (isHeld || isOpened) await tx.saveSsh(id, { ...ssh, onlyGateway, gateway: isHeld ? null : ssh.gateway });
    if (ssh.gateway?.id !== gateway.id && !isOpened) continue;
    const details = { gateway: gateway.name, isOpened };
    await tx.audit(aboutMachine(ctx, machine, { by: causeOf(by), action: 'machine-released', details }));
  }
}

async function endAccess(ctx: Context, tx: StoreTransaction, { id }: Machine & { ssh: SshMachine }): Promise<void> {
  // No signature fits this key: the machine says hello again when a gateway has brought its own.
  await tx.handMachineOver(id, `none ${id}`);
  for (const worker of await tx.listRoster({ machineId: id })) {
    const token = { id: ctx.ids.uuid(), name: worker.name, workerId: worker.id, projectId: worker.projectId };
    // Replaces the token that the gateway knows; nobody is told the new one.
    await tx.issueWorkerToken({ ...token, sha256: sha256(ctx.ids.secret()) }, ctx.clock.now());
  }
}
