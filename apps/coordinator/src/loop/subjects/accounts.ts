/**
 * Shares limits among the workers of an account: one hit pauses all of them, one probe resumes them. Core decides (limits/account.ts);
 * this file locks the account's row, after the worker's, and schedules consequences for other workers as due work in the same
 * transaction. Such due work says only "check the account": it reads the state when it runs, so that late or reordered news cannot undo
 * newer news (R7).
 */
import {
  decideAccount,
  isNearlySpent,
  joinQuotas,
  nextAccount,
  OPEN_ACCOUNT,
  readsTheSame,
  toldAt,
} from '@drover/core';
import type { AccountEvent, AccountState, LimitPolicy, Quota, WorkerEvent } from '@drover/core';
import type { Observation } from '@drover/protocol';
import type { AccountRow, Machine, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf, accountKeysOf, accountNameOf } from '../../context/account-key.ts';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import type { About, RecordOf } from '../about.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { workerEventDue } from '../event-due.ts';
import { runEventDue } from '../runs/due.ts';
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

/** Tells whether the worker neither waits nor probes any more: it was removed, or is wanted down. */
export function hasLeftAccount(about: About): boolean {
  const { row, after } = about;
  return isGone(about) || (row.state.lifecycle.wanted === 'up' && after.lifecycle.wanted !== 'up');
}

/** Takes a worker out of its account, whether or not the worker knows of the pause yet. */
export async function accountLeft(ctx: Context, tx: StoreTransaction, { row, now }: About): Promise<void> {
  const key = accountKeyOf(ctx, row);
  // Read without a lock: a limit that this worker itself has hit was saved under its row's lock, which is held here.
  const account = await tx.readAccount(key);
  if (account === null || account.state.kind === 'open') return;
  await hear(ctx, tx, { key, event: { kind: 'worker-left', worker: row.id }, now, row });
}

/** Moves a worker whose agent starts by another profile, or on another machine: the worker leaves one account and checks the other. */
export async function accountMoved(
  ctx: Context,
  tx: StoreTransaction,
  { about, moved }: { about: About; moved: WorkerRow },
): Promise<void> {
  if (accountKeyOf(ctx, moved) === accountKeyOf(ctx, about.row)) return;
  await accountLeft(ctx, tx, about);
  await accountJoined(ctx, tx, { ...about, row: moved });
}

/** Tells a worker that is wanted up of a pause that began without it. */
export async function accountJoined(ctx: Context, tx: StoreTransaction, { row, now }: About): Promise<void> {
  const account = await tx.readAccount(accountKeyOf(ctx, row));
  if (account !== null && account.state.kind !== 'open') await tx.schedule([workerEventDue(row.id, 'account', now)]);
}

/** Ends the pause of the account: one of its workers tries. */
export async function accountWoke(ctx: Context, tx: StoreTransaction, key: string): Promise<{ hint: () => void }> {
  const now = ctx.clock.now();
  await hear(ctx, tx, { key, event: { kind: 'woke' }, now, row: null });
  return { hint: () => ctx.hints.due(now) };
}

/**
 * Builds the event of the account's state for a worker whose row is locked. Reads without a lock: a change of the account schedules the
 * check again, and that check waits for this transaction.
 */
export async function accountNews(
  ctx: Context,
  tx: StoreTransaction,
  row: WorkerRow,
): Promise<Extract<WorkerEvent, { kind: 'account-changed' }>> {
  const account = await tx.readAccount(accountKeyOf(ctx, row));
  const state = account?.state ?? OPEN_ACCOUNT;
  if (state.kind === 'open') return { kind: 'account-changed', state: 'open', until: null };
  if (state.kind === 'probing' && state.probe === row.id)
    return { kind: 'account-changed', state: 'probe', until: state.wakeAt };
  const other = await otherAccount(ctx, tx, row);
  return { kind: 'account-changed', state: 'paused', until: state.wakeAt, ...(other !== undefined && { other }) };
}

/** Names the next open account of the worker's profile. */
async function otherAccount(ctx: Context, tx: StoreTransaction, row: WorkerRow): Promise<string | undefined> {
  const keys = accountKeysOf(ctx, row);
  const present = accountNameOf(ctx, row);
  if (keys.size < 2 || present === null) return undefined;
  const known = new Map<string, AccountRow | null>();
  for (const [name, key] of keys) known.set(name, await tx.readAccount(key));
  const now = ctx.clock.now();
  return nextAccount([...keys.keys()], present, (name) => {
    const { state = OPEN_ACCOUNT, quota = null } = known.get(name) ?? {};
    return { kind: state.kind, isNearlySpent: isNearlySpent(quota, now) };
  });
}

/**
 * Keeps what machines tell of the limits of accounts. Runs after the events of the same reports, whose workers are locked before accounts. A report on
 * an account that the worker has left since changes nothing. @returns workers of which the machine has spoken, and that are not on it.
 */
export async function keepQuotas(
  { ctx, tx, machine }: { readonly ctx: Context; readonly tx: StoreTransaction; readonly machine: Machine },
  news: readonly Observation[],
): Promise<readonly string[]> {
  const told = news.flatMap(({ body }) => (body.kind === 'quota' ? [body] : []));
  if (told.length === 0) return [];
  const workers = new Map((await tx.listWorkers({ machineId: machine.id })).map((worker) => [worker.id, worker]));
  const now = ctx.clock.now();
  const joined = new Map<string, Quota>();
  for (const { workerId, account, quota } of told) {
    const worker = workers.get(workerId);
    if (worker === undefined || (worker.options.account ?? null) !== account) continue;
    const key = accountKeyOf(ctx, worker);
    const windows = quota.windows.map((window) => ({ ...window, at: Math.min(window.at, now) }));
    joined.set(key, joinQuotas(joined.get(key) ?? null, { windows }));
  }
  for (const [key, quota] of [...joined].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const { quota: known = null } = (await tx.readAccount(key)) ?? {};
    // All machines share the row: what changes nothing does not wait for it.
    const next = joinQuotas(known, quota);
    if (known !== null && readsTheSame(next, known) && toldAt(next) === toldAt(known)) continue;
    const account = await tx.lockAccount(key, now);
    await tx.saveAccount({ ...account, quota: joinQuotas(account.quota, quota) });
  }
  return told.map(({ workerId }) => workerId).filter((id) => !workers.has(id));
}

/** News of an account and its source; `row` is null when the account's time has come. */
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
  await tx.saveAccount({ ...account, state, updatedAt: now });
  if (state.kind !== 'open') await tx.schedule([{ kind: 'account', key, dueAt: state.wakeAt, payload: { key } }]);
  const resumed = commands.flatMap((command) =>
    command.kind === 'resume' ? [workerEventDue(command.worker, 'account', command.at)] : [],
  );
  const others = isNews(account.state, state) ? await workersOf(ctx, tx, { key, isOpen: state.kind === 'open' }) : [];
  if (isNews(account.state, state)) await tellRuns(tx, { key, state, now });
  const told = new Set(commands.filter(({ kind }) => kind === 'resume').map(({ worker }) => worker));
  const rest = others.filter(({ id }) => !told.has(id));
  // Workers that did not wait resume after those that did, with the same distance between them.
  const from = state.kind === 'open' ? resumed.length : 0;
  const stepMs = state.kind === 'open' ? policy.staggerMs : 0;
  await tx.schedule([
    ...resumed,
    ...rest.map(({ id }, place) => workerEventDue(id, 'account', now + (from + place) * stepMs)),
  ]);
}

/** Open runs that hear of an account at most. */
const RUNS_MAX = 1_000;

/** Tells every open run that the account is limited, or open again: a limit is one event, whatever its workers do. */
async function tellRuns(
  tx: StoreTransaction,
  { key: account, state, now }: { readonly key: string; readonly state: AccountState; readonly now: number },
): Promise<void> {
  const runs = await tx.listRuns({ open: true, limit: RUNS_MAX });
  const until = state.kind === 'open' ? null : state.wakeAt;
  const event = { kind: 'account-changed', account, isLimited: state.kind !== 'open', until } as const;
  await tx.schedule(
    runs.map(({ id: runId }) =>
      runEventDue({ runId, id: `account ${account} ${state.kind} ${now}`, event, by: POLICY }, now),
    ),
  );
}

/** Finds the policy of an account, which may serve several projects: that of the worker that reports applies, or of the one that asks next. */
async function policyFor(ctx: Context, tx: StoreTransaction, row: WorkerRow | null): Promise<LimitPolicy> {
  const project = row === null ? null : await tx.readProject(row.projectId);
  return row === null || project === null ? ctx.policy.account : policyInForce(ctx, project, row.name).policy.account;
}

/** Returns the worker that probes, or that will. */
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

/** Lists the workers of the account; when it opens, those too that it may pay for: they may wait for another one. */
async function workersOf(
  ctx: Context,
  tx: StoreTransaction,
  { key, isOpen }: { readonly key: string; readonly isOpen: boolean },
): Promise<readonly RosterRow[]> {
  const mayPay = (row: RosterRow): boolean => isOpen && [...accountKeysOf(ctx, row).values()].includes(key);
  return (await tx.listRoster({})).filter((row) => accountKeyOf(ctx, row) === key || mayPay(row));
}
