/** Changes of a decision beside the worker's state: its place, its profile, its account, its agent's launch, and its machine's checkout. */
import type { Command, CommandResult } from '../machine/commands.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import type { DecisionRecord } from './records.ts';

/** See the head of the file. */
export interface Consequences {
  /** Machine of the worker from now on; null: unchanged. */
  readonly machine: string | null;
  /** Profile of its agent from now on; null: unchanged. */
  readonly profile: string | null;
  /** Account that pays for its agent from now on; null: unchanged. */
  readonly account: string | null;
  /** Session that the machine has opened for the worker; null: none. `mayBeOld`: the session may have been there already. */
  readonly opened: { readonly incarnation: string; readonly mayBeOld: boolean } | null;
  /** True if the worker's agent is being started, with the worker's options of that moment. */
  readonly starts: boolean;
  /** Report of the machine on its checkout of the project; null: none. */
  readonly checkout: { readonly kind: 'ready' } | Pick<Failed, 'kind' | 'code' | 'message'> | null;
}

type Failed = Extract<CommandResult, { readonly kind: 'failed' }>;

/** Reads the consequences from a decision. */
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
  const chosen = records.findLast((entry) => entry.kind === 'account-chosen');
  return {
    machine: moved?.kind === 'machine-changed' ? moved.to : null,
    profile: changed?.kind === 'profile-changed' ? changed.to : null,
    account: chosen?.kind === 'account-chosen' ? chosen.to : null,
    opened: openedBy(before, event),
    starts: commands.some(({ command }) => command.kind === 'open' || command.kind === 'respawn'),
    checkout: checkoutOf(before, event),
  };
}

function openedBy({ command: { inFlight } }: Worker, event: WorkerEvent): Consequences['opened'] {
  if (event.kind !== 'command-finished' || event.result.kind !== 'opened' || inFlight?.seq !== event.seq) return null;
  return { incarnation: event.result.incarnation, mayBeOld: inFlight.command.kind === 'open' };
}

/** Returns the report on the checkout in which a worktree is prepared; the machine makes a missing checkout. */
function checkoutOf({ command: { inFlight } }: Worker, event: WorkerEvent): Consequences['checkout'] {
  if (event.kind !== 'command-finished' || inFlight?.seq !== event.seq || inFlight.command.kind !== 'prepare')
    return null;
  const { result } = event;
  if (result.kind === 'prepared') return { kind: 'ready' };
  return result.kind === 'failed' ? { kind: 'failed', code: result.code, message: result.message } : null;
}
