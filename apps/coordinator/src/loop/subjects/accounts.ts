/**
 * Limits shared by an account: one hit pauses all of its workers, one probe resumes them. Core decides
 * (limits/account.ts); here its row is locked, after the worker's, and what follows for other workers becomes due work in
 * the same transaction. That work says only "check the account": the state is read when it is done, so that late or
 * reordered news cannot undo newer ones (R7).
 */
import { decideAccount, OPEN_ACCOUNT } from '@drover/core';
import type { AccountEvent, AccountState, LimitPolicy, WorkerEvent } from '@drover/core';
import type { DueWork, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf } from '../../context/account-key.ts';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import type { About, RecordOf } from '../about.ts';
import { isGone } from '../incidents.ts';

/** Takes a record of a decision: the worker hit its account's limit, or got an answer. */
export async function accountSaw(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'account'> },
): Promise<void> {
  const { row, now } = about;
  const event: AccountEvent =
    entry.event === 'limit-hit'
      ? { kind: 'limit-hit', worker: row.id, at: now, resetAt: entry.resetAt }
      : entry.event === 'left'
        ? { kind: 'worker-left', worker: row.id }
        : { kind: 'answered', worker: row.id, at: now };
  await hear(ctx, tx, { key: accountKeyOf(ctx, row), event, now, row });
}

/** Whether the worker neither waits nor probes any more: it was removed, or is wanted down. */
export function hasLeftAccount(about: About): boolean {
  const { row, after } = about;
  return isGone(about) || (row.state.lifecycle.wanted === 'up' && after.lifecycle.wanted !== 'up');
}

/** Takes a worker out of its account, whether or not it knows yet that the account is paused. */
export async function accountLeft(ctx: Context, tx: StoreTransaction, { row, now }: About): Promise<void> {
  const key = accountKeyOf(ctx, row);
  // Read without a lock: a limit that this worker itself has hit was saved under its row's lock, which is held here.
  const account = await tx.readAccount(key);
  if (account === null || account.state.kind === 'open') return;
  await hear(ctx, tx, { key, event: { kind: 'worker-left', worker: row.id }, now, row });
}

/** A worker's agent is started by another profile, or on another machine: the worker leaves one account and checks the other. */
export async function accountMoved(
  ctx: Context,
  tx: StoreTransaction,
  { about, moved }: { about: About; moved: WorkerRow },
): Promise<void> {
  if (accountKeyOf(ctx, moved) === accountKeyOf(ctx, about.row)) return;
  await accountLeft(ctx, tx, about);
  await accountJoined(ctx, tx, { ...about, row: moved });
}

/** A worker that is wanted up learns of a pause that began without it. */
export async function accountJoined(ctx: Context, tx: StoreTransaction, { row, now }: About): Promise<void> {
  const account = await tx.readAccount(accountKeyOf(ctx, row));
  if (account !== null && account.state.kind !== 'open') await tx.schedule([accountCheckDue(row.id, now)]);
}

/** The pause of the account is over: one of its workers tries. */
export async function accountWoke(ctx: Context, tx: StoreTransaction, key: string): Promise<{ hint: () => void }> {
  const now = ctx.clock.now();
  await hear(ctx, tx, { key, event: { kind: 'woke' }, now, row: null });
  return { hint: () => ctx.hints.due(now) };
}

/**
 * The account's state for a worker whose row is locked, as the event for its policy. Read without a lock: a change of the
 * account schedules the check again, and that check waits for this transaction.
 */
export async function accountNews(
  ctx: Context,
  tx: StoreTransaction,
  row: WorkerRow,
): Promise<Extract<WorkerEvent, { kind: 'account-changed' }>> {
  const account = await tx.readAccount(accountKeyOf(ctx, row));
  const state = account?.state ?? OPEN_ACCOUNT;
  if (state.kind === 'open') return { kind: 'account-changed', state: 'open', until: null };
  const probes = state.kind === 'probing' && state.probe === row.id;
  return { kind: 'account-changed', state: probes ? 'probe' : 'paused', until: state.wakeAt };
}

/** What is told of an account, by whom; `row` is null when its time has come. */
interface News {
  readonly key: string;
  readonly event: AccountEvent;
  readonly now: number;
  readonly row: WorkerRow | null;
}

async function hear(ctx: Context, tx: StoreTransaction, { key, event, now, row }: News): Promise<void> {
  const account = await tx.lockAccount(key, now);
  const policy = await policyFor(ctx, tx, row ?? (await firstOf(tx, account.state)));
  const inputs = { now, random: ctx.random(), policy };
  const { state, commands } = decideAccount(account.state, event, inputs);
  await tx.saveAccount({ key, state, updatedAt: now });
  if (state.kind !== 'open') await tx.schedule([{ kind: 'account', key, dueAt: state.wakeAt, payload: { key } }]);
  const resumed = commands.flatMap((command) =>
    command.kind === 'resume' ? [accountCheckDue(command.worker, command.at)] : [],
  );
  const others = isNews(account.state, state) ? await workersOf(ctx, tx, key) : [];
  const told = new Set(commands.filter(({ kind }) => kind === 'resume').map(({ worker }) => worker));
  const rest = others.filter(({ id }) => !told.has(id));
  // Workers that did not wait go on after those that did, with the same distance between them.
  const from = state.kind === 'open' ? resumed.length : 0;
  const stepMs = state.kind === 'open' ? policy.staggerMs : 0;
  await tx.schedule([...resumed, ...rest.map(({ id }, place) => accountCheckDue(id, now + (from + place) * stepMs))]);
}

/** An account may serve several projects: the policy of the worker that reports applies, or of the one that asks next. */
async function policyFor(ctx: Context, tx: StoreTransaction, row: WorkerRow | null): Promise<LimitPolicy> {
  const project = row === null ? null : await tx.readProject(row.projectId);
  return row === null || project === null ? ctx.policy.account : policyInForce(ctx, project, row.name).policy.account;
}

/** The worker that probes, or that will. */
async function firstOf(tx: StoreTransaction, state: AccountState): Promise<WorkerRow | null> {
  if (state.kind === 'open') return null;
  const first = state.kind === 'probing' ? state.probe : state.waiting[0];
  return first === undefined ? null : tx.readWorker(first);
}

function isNews(before: AccountState, after: AccountState): boolean {
  if (before.kind === 'probing' && after.kind === 'probing' && before.probe !== after.probe) return true;
  if (before.kind === 'open' || after.kind === 'open') return before.kind !== after.kind;
  return before.kind !== after.kind || before.wakeAt !== after.wakeAt;
}

async function workersOf(ctx: Context, tx: StoreTransaction, key: string): Promise<readonly RosterRow[]> {
  return (await tx.listRoster({})).filter((row) => accountKeyOf(ctx, row) === key);
}

function accountCheckDue(workerId: string, dueAt: number): DueWork {
  return {
    kind: 'worker-event',
    key: `${workerId}:account`,
    workerId,
    dueAt,
    payload: { event: { kind: 'account' } },
  };
}
