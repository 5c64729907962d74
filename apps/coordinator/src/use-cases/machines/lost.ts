/** Finds machines that have been silent for longer than their lease. The patrol asks; each of their workers gets a check of its own. */
import type { WorkerEvent } from '@drover/core';
import type { DueWork, Machine, RosterRow, SshMachine, StoreTransaction, WorkerRow } from '@drover/store';
import { workerEventDue } from '../../loop/event-due.ts';
import { goneDue } from '../../loop/runs/machines.ts';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { isStopped } from './gateways/report.ts';
import { whyOf } from '../../facts/machines/ssh.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';

/** Milliseconds for which workers of a revoked machine are looked at: those of one that left long ago cost nothing. */
const JUST_REVOKED_MS = 24 * 3_600_000;

/**
 * Schedules a check of each worker that should be up on a lost machine and does not know of the loss, and tells runs that began work on a machine
 * in the moment in which it was revoked. Reads no workers of other machines.
 */
export async function machineChecksDue(ctx: Context): Promise<readonly DueWork[]> {
  const at = judged(ctx);
  const machines = await ctx.store.listMachines();
  const lost = machines.filter((machine) => silentMs(machine, at) !== null);
  const onRevoked: WorkerRow[] = [];
  for (const { id, revokedAt, isGateway } of machines)
    if (revokedAt !== null && at.now - revokedAt < JUST_REVOKED_MS && !isGateway)
      onRevoked.push(...(await ctx.store.listWorkers({ machineId: id })));
  const workers: RosterRow[] = [];
  for (const { id } of lost) workers.push(...(await ctx.store.listRoster({ machineId: id })));
  const unaware = workers.filter(({ state: { lifecycle, incident } }) => {
    return lifecycle.wanted === 'up' && incident.open?.code !== 'MACHINE_LOST';
  });
  return [...unaware.map(({ id }) => workerEventDue(id, 'machine', at.now)), ...goneDue(onRevoked, at.now)];
}

/** Builds the worker's event at the time of the check: null when the machine has spoken meanwhile. */
export async function machineNews(ctx: Context, tx: StoreTransaction, row: WorkerRow): Promise<WorkerEvent | null> {
  const machine = await tx.readMachine(row.machineId);
  const silent = silentMs(machine, judged(ctx));
  if (silent === null) return null;
  const why = machine?.ssh == null ? null : whyStopped(machine.name, machine.ssh);
  return { kind: 'machine-lost', silentMs: silent, ...(why !== null && { why }) };
}

/** Tells what keeps a machine over SSH from work, with the command that helps if its key has changed. */
function whyStopped(name: string, ssh: SshMachine): string | null {
  const why = whyOf(ssh, true);
  if (ssh.state?.kind !== 'key-changed') return why;
  return `${why}. Compare the fingerprint on the host itself: "drover machine trust ${name}" confirms it`;
}

/** Returns the milliseconds that a lost machine has been silent; null when it is connected, or never was. */
function silentMs(machine: Machine | null, at: Judged): number | null {
  if (machine?.lastSeenAt == null || machine.revokedAt !== null) return null;
  // A machine that waits for a person is lost at once: nothing brings it back by itself.
  const isOver = machine.ssh !== null && isStopped(machine.ssh);
  if (!isOver && machineState(machine, at) !== 'disconnected') return null;
  return Math.max(0, at.now - machine.lastSeenAt);
}
