/** Asks a machine for information, for a person, and changes nothing: through the outbox, so that any replica can ask. */
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';
import type { Machine, NewCommand, Project, StoreTransaction, WorkerRow } from '@drover/store';
import { listenFor } from '../../context/waiters.ts';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { heldMachine } from './closed.ts';
import { placed } from '../projects/place.ts';
import type { Placed } from '../projects/place.ts';
import { workerSettings, machineSettings } from '../workers/settings.ts';

/** Milliseconds that a person waits for a machine. */
const PATIENCE_MS = 15_000;
/** The same for a review, which runs git about twenty times, and may queue behind merges and other reviews. */
const REVIEW_PATIENCE_MS = 45_000;
/** Milliseconds between reads of the answer: another replica may receive it. */
const POLL_MS = 100;
/** Milliseconds between checks that the question still exists: it goes with its worker and its machine. */
const THERE_EVERY_MS = 1_000;

/** @returns the machine's answer, or a failure if none came. */
export async function ask(
  ctx: Context,
  { commands }: { commands: Waiters },
  { row, query }: { row: Asked; query: Query },
): Promise<QueryResult> {
  const id = ctx.ids.uuid();
  const posted = await ctx.store.transaction(async (tx) => {
    const settings = await settingsOf(tx, row);
    if ('kind' in settings) return settings;
    const command = commandOf(query, { id, machineId: row.machineId, settings });
    await tx.insertCommands([command], ctx.clock.now());
    return null;
  });
  if (posted !== null) return posted;
  ctx.hints.commands(row.machineId);
  return waitForAnswer(ctx, commands, { id, query });
}

/** A worker, as far as its machine must know it. Without options: a machine that is asked about its clone of a project. */
export type Asked = Pick<WorkerRow, 'id' | 'name' | 'projectId' | 'machineId'> & {
  readonly options: WorkerRow['options'] | null;
};

type Failure = Extract<QueryResult, { readonly kind: 'failed' }>;

/** @returns the settings, or a failure when the project or the machine is gone. A machine that is there stays until the question is stored. */
async function settingsOf(tx: StoreTransaction, row: Asked): Promise<WorkerSettings | Failure> {
  const [project, machine] = [await tx.readProject(row.projectId), await heldMachine(tx, row.machineId)];
  if (project === null) return gone(`The project of "${row.name}" is gone`);
  if (machine === null) return gone(NO_MACHINE);
  const { options } = row;
  if (options !== null) return workerSettings({ ...row, options }, placed(project, machine));
  return aboutProject(machine, placed(project, machine));
}

const NO_MACHINE = 'Its machine is no longer in the fleet: see "drover machine"';

function gone(message: string): Failure {
  return { kind: 'failed', code: 'not-found', message };
}

/** Builds settings about a project. A machine's name need not be a valid worker name. */
function aboutProject(machine: Machine, project: Placed): WorkerSettings {
  return { ...machineSettings(machine, project), name: 'main' };
}

/** A question that takes a machine long: it is asked once, and every call that waits for the answer waits a while. */
interface LongQuestion {
  readonly row: Asked;
  readonly query: Query;
  /** Id of the command: the same in each call. */
  readonly id: string;
  /** Milliseconds that the machine may take. */
  readonly timeoutMs: number;
  /** Time until which this call waits; epoch milliseconds. */
  readonly until: number;
}

/** Asks once, however often it is called with the same id, on whichever replica. @returns null while there is no answer: call again. */
export async function askOnce(
  ctx: Context,
  { commands }: { commands: Waiters },
  { row, query, id, timeoutMs, until }: LongQuestion,
): Promise<QueryResult | null> {
  const posted = await ctx.store.transaction(async (tx) => {
    await tx.lockName(`command ${id}`);
    if (await tx.hasCommand(id)) return null;
    const settings = await settingsOf(tx, row);
    if ('kind' in settings) return settings;
    const command = commandOf(query, { id, machineId: row.machineId, settings });
    await tx.insertCommands([{ ...command, timeoutMs }], ctx.clock.now());
    return null;
  });
  if (posted !== null) return posted;
  ctx.hints.commands(row.machineId);
  return answerUntil(ctx, commands, { id, until });
}

/** Asks a machine about a project without naming a worker, so that the question works where all rows are lost. */
export async function askMachine(
  ctx: Context,
  { commands }: { commands: Waiters },
  { machine, project, query }: { machine: Machine; project: Project; query: Query },
): Promise<QueryResult> {
  const id = ctx.ids.uuid();
  const command = commandOf(query, {
    id,
    machineId: machine.id,
    settings: machineSettings(machine, placed(project, machine)),
  });
  const isThere = await ctx.store.transaction(async (tx) => {
    if ((await heldMachine(tx, machine.id)) === null) return false;
    await tx.insertCommands([command], ctx.clock.now());
    return true;
  });
  if (!isThere) return gone(NO_MACHINE);
  ctx.hints.commands(machine.id);
  return waitForAnswer(ctx, commands, { id, query });
}

/** A question about a project and no worker that takes a machine long. */
type LongMachineQuestion = Omit<LongQuestion, 'row'> & { readonly machine: Machine; readonly project: Project };

/** Asks a machine once, however often it is called with the same id. @returns null while there is no answer: call again. */
export async function askMachineOnce(
  ctx: Context,
  { commands }: { commands: Waiters },
  { machine, project, query, id, timeoutMs, until }: LongMachineQuestion,
): Promise<QueryResult | null> {
  const isThere = await ctx.store.transaction(async (tx) => {
    await tx.lockName(`command ${id}`);
    if (await tx.hasCommand(id)) return true;
    if ((await heldMachine(tx, machine.id)) === null) return false;
    const settings = aboutProject(machine, placed(project, machine));
    await tx.insertCommands(
      [{ ...commandOf(query, { id, machineId: machine.id, settings }), timeoutMs }],
      ctx.clock.now(),
    );
    return true;
  });
  if (!isThere) return gone(NO_MACHINE);
  ctx.hints.commands(machine.id);
  return answerUntil(ctx, commands, { id, until });
}

/** Builds the command of a query. The settings name the worker that the query is about, or the machine itself. */
function commandOf(query: Query, target: Pick<NewCommand, 'id' | 'machineId' | 'settings'>): NewCommand {
  const body = { kind: 'query', query } as const;
  return { ...target, workerId: target.settings.workerId, body, timeoutMs: patienceFor(query) };
}

function patienceFor({ kind }: Query): number {
  return kind === 'read-diff' ? REVIEW_PATIENCE_MS : PATIENCE_MS;
}

async function waitForAnswer(
  ctx: Context,
  waiters: Waiters,
  { id, query }: { readonly id: string; readonly query: Query },
): Promise<QueryResult> {
  const ms = patienceFor(query);
  const message = `The machine did not answer within ${ms / 1000} s: see "drover machine"`;
  const answer = await answerUntil(ctx, waiters, { id, until: ctx.clock.now() + ms });
  return answer ?? { kind: 'failed', code: 'no-answer', message };
}

const WITHDRAWN = 'The worker or the machine was removed before the machine answered: see "drover status"';

/** Reads the answer at least once, also when the time is over. */
async function answerUntil(
  ctx: Context,
  waiters: Waiters,
  { id, until }: { id: string; until: number },
): Promise<QueryResult | null> {
  let thereAt = ctx.clock.now() + THERE_EVERY_MS;
  for (;;) {
    using hint = listenFor(waiters, `answer:${id}`, { ms: POLL_MS, after: (ms, run) => ctx.clock.after(ms, run) });
    const result = await ctx.store.commandResult(id);
    if (result !== null) return result as QueryResult;
    const now = ctx.clock.now();
    if (now >= until) return null;
    if (now >= thereAt) {
      thereAt = now + THERE_EVERY_MS;
      if (!(await ctx.store.transaction((tx) => tx.hasCommand(id)))) return gone(WITHDRAWN);
    }
    await hint.heard;
  }
}
