/** What a machine's tries to have a project came to. */
import type { CommandResult } from '@drover/core';
import type { Checkout, StoreTransaction } from '@drover/store';
import type { About } from '../decisions/about.ts';
import { rootOn } from './place.ts';

/** A worker's worktree was prepared, for which its machine makes the checkout if it is missing: notes how that ended. */
export async function noteCheckout(tx: StoreTransaction, about: About): Promise<void> {
  const { row, event, project, machine, now } = about;
  const inFlight = row.state.command.inFlight;
  if (event.kind !== 'command-finished' || inFlight?.seq !== event.seq || inFlight.command.kind !== 'prepare') return;
  const root = rootOn(project, machine);
  // The machine was removed meanwhile.
  if (machine === null || root === null) return;
  const known = machine.checkouts[project.id];
  const checkout = checkoutAfter(event.result, { root, known, now });
  if (checkout === null || isSame(checkout, known)) return;
  await tx.saveCheckout({ machineId: machine.id, projectId: project.id }, checkout);
}

function checkoutAfter(
  result: CommandResult,
  { root, known, now }: { root: string; known: Checkout | undefined; now: number },
): Checkout | null {
  if (result.kind === 'prepared') return { root, state: 'ready', error: null, at: now };
  // A checkout that is there does not go because a worktree of it could not be made.
  if (result.kind !== 'failed' || (known?.state === 'ready' && known.root === root)) return null;
  return { root, state: 'failed', error: { code: result.code, message: result.message }, at: now };
}

function isSame(one: Checkout, other: Checkout | undefined): boolean {
  return (
    one.root === other?.root &&
    one.state === other.state &&
    one.error?.code === other.error?.code &&
    one.error?.message === other.error?.message
  );
}
