/** What stands in the way of new work on a machine? */
import type { Machine, StoreTransaction } from '@drover/store';

/** Why a machine gets no new work, and what to do instead; null: it gets some. */
export function whyNoWork(machine: Pick<Machine, 'name' | 'cordon'> | null | undefined): string | null {
  if (machine?.cordon == null) return null;
  const { by, drain: draining } = machine.cordon;
  const what = draining === null ? `cordoned by ${by}` : `drained by ${by}`;
  return `The machine "${machine.name}" gets no new work: it is ${what}. Choose another one, or run "drover machines uncordon ${machine.name}"`;
}

/** Held until the end of a transaction that changes what a machine is for, or puts work on it: neither overlooks the other. */
export function termsLock(machineId: string): string {
  return `terms of machine ${machineId}`;
}

/** The machine, whose cordon, labels and capacity stay as they are until the end of the transaction. Null: it is not in the fleet any more. */
export async function heldMachine(tx: StoreTransaction, machineId: string): Promise<Machine | null> {
  await tx.lockName(termsLock(machineId));
  return tx.readMachine(machineId);
}
