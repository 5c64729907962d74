/** Tells why a machine gets no new work. */
import type { Machine, StoreTransaction } from '@drover/store';

/** Tells why a machine gets no new work, and what to do instead; null: the machine gets work. */
export function whyNoWork(machine: Pick<Machine, 'name' | 'cordon'> | null | undefined): string | null {
  if (machine?.cordon == null) return null;
  const { by, drain: draining } = machine.cordon;
  const what = draining === null ? `cordoned by ${by}` : `drained by ${by}`;
  return `The machine "${machine.name}" gets no new work: it is ${what}. Choose another one, or run "drover machine uncordon ${machine.name}"`;
}

/**
 * Names the lock that a transaction holds to its end when it changes a machine's terms, or puts work on the machine: neither overlooks
 * the other.
 */
export function termsLock(machineId: string): string {
  return `terms of machine ${machineId}`;
}

/**
 * Reads and locks the machine: its cordon, labels and capacity stay as they are until the end of the transaction. Null: the machine has
 * left the fleet.
 */
export async function heldMachine(tx: StoreTransaction, machineId: string): Promise<Machine | null> {
  await tx.lockName(termsLock(machineId));
  return tx.readMachine(machineId);
}
