/** Changes of a decision beside the worker's state: its place, its profile, what its agent is started with, and its machine's checkout. */
import type { Command, CommandResult } from '../machine/commands.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import type { DecisionRecord } from './records.ts';

/** See the head of the file. */
export interface Consequences {
  /** The machine that the worker is of from now on; null: it stays. */
  readonly machine: string | null;
  /** The profile by which its agent is started from now on; null: the same. */
  readonly profile: string | null;
  /** The session that its machine has opened for it; null: none. `mayBeOld`: it may have been there already. */
  readonly opened: { readonly incarnation: string; readonly mayBeOld: boolean } | null;
  /** True if the worker's agent is being started, with the worker's options of that moment. */
  readonly starts: boolean;
  /** The word of the machine on its checkout of the project; null: nothing. */
  readonly checkout: { readonly kind: 'ready' } | Pick<Failed, 'kind' | 'code' | 'message'> | null;
}

type Failed = Extract<CommandResult, { readonly kind: 'failed' }>;

/** Reads them from what was decided. */
export function consequencesOf(
  before: Worker,
  event: WorkerEvent,
  {
    commands,
    records,
  }: { readonly commands: readonly { readonly command: Command }[]; readonly records: readonly DecisionRecord[] },
): Consequences {
  const moved = records.findLast((entry) => entry.kind === 'machine-changed');
  const changed = records.findLast((entry) => entry.kind === 'profile-changed');
  return {
    machine: moved?.kind === 'machine-changed' ? moved.to : null,
    profile: changed?.kind === 'profile-changed' ? changed.to : null,
    opened: openedBy(before, event),
    starts: commands.some(({ command }) => command.kind === 'open' || command.kind === 'respawn'),
    checkout: checkoutOf(before, event),
  };
}

function openedBy({ command: { inFlight } }: Worker, event: WorkerEvent): Consequences['opened'] {
  if (event.kind !== 'command-finished' || event.result.kind !== 'opened' || inFlight?.seq !== event.seq) return null;
  return { incarnation: event.result.incarnation, mayBeOld: inFlight.command.kind === 'open' };
}

/** A worktree is prepared in a checkout, which its machine makes if it is missing. */
function checkoutOf({ command: { inFlight } }: Worker, event: WorkerEvent): Consequences['checkout'] {
  if (event.kind !== 'command-finished' || inFlight?.seq !== event.seq || inFlight.command.kind !== 'prepare')
    return null;
  const { result } = event;
  if (result.kind === 'prepared') return { kind: 'ready' };
  return result.kind === 'failed' ? { kind: 'failed', code: result.code, message: result.message } : null;
}
