// A store with something in it, for the tests of the contract.
import { newWorker } from '@drover/core';
import type { Worker } from '@drover/core';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import type { NewCommand } from '../../port/commands.ts';
import type { NewEvent } from '../../port/history.ts';
import type { NewProject } from '../../port/projects.ts';
import type { Store } from '../../port/store.ts';
import type { WorkerRow } from '../../port/workers.ts';
import { workerOptions } from '../worker-options.ts';

/** The buffer that machines of the contract speak from. */
export const AGENT_EPOCH = '01900000-0000-7000-8000-ffffffffffff';

let counter = 0;

/** A UUID that sorts after those before it. */
export function id(): string {
  counter += 1;
  return `01900000-0000-7000-8000-${String(counter).padStart(12, '0')}`;
}

/** Adds one project, one machine that said hello once, and one worker. */
export async function seeded(store: Store): Promise<WorkerRow> {
  const project: NewProject = {
    id: id(),
    name: 'demo',
    source: '/s',
    root: '/r',
    defaultBranch: 'main',
    config: { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' },
  };
  const { id: projectId } = await store.upsertProject(project, 1);
  const machineId = await joined(store, 'm');
  const row = {
    id: id(),
    projectId,
    machineId,
    name: 'adam',
    options: OPTIONS,
    state: newWorker(),
    createdAt: 1,
  };
  await store.transaction((tx) => tx.insertWorker(row));
  const stored = await store.readWorker(row.id);
  if (stored === null) throw new Error('The worker was not stored');
  return stored;
}

/** A machine that said hello once. @returns its id. */
export async function joined(store: Store, name: string): Promise<string> {
  await store.createJoinToken({ sha256: `t${name}`, expiresAt: 1_000, now: 1 });
  const join = { id: id(), name, publicKey: `k${name}`, tokenSha256: `t${name}`, now: 1 };
  const outcome = await store.joinMachine(join);
  if (outcome.kind !== 'joined') throw new Error(`The machine did not join: ${outcome.kind}`);
  await sayHello(store, outcome.machineId);
  return outcome.machineId;
}

/** A hello at a time, epoch milliseconds, which raises the epoch. */
export async function sayHello(store: Store, machineId: string, now = 1): Promise<void> {
  const machine = await store.readMachine(machineId);
  const hello = helloOf(machineId, machine?.epoch ?? 0);
  await store.hello({ ...hello, publicKey: machine?.publicKey ?? hello.publicKey, now });
}

/** A hello whose challenge was made for this epoch. */
export function helloOf(machineId: string, epoch: number): Parameters<Store['hello']>[0] {
  const token = { accessTokenSha256: id(), accessTokenExpiresAt: 1_000 };
  return {
    machineId,
    epoch,
    publicKey: 'km',
    rotated: false,
    dialledUrl: 'http://127.0.0.1:1',
    agentEpoch: AGENT_EPOCH,
    version: '0',
    facts: {},
    places: { workspace: '/w', roots: {} },
    now: 1,
    ...token,
  };
}

const OPTIONS = workerOptions({ sessionWidth: 500, sessionHeight: 50 });

/** A command for the worker. */
export function command(row: WorkerRow, seq: number): NewCommand {
  const { profile, model, skipPermissions, sessionWidth, sessionHeight } = row.options;
  const settings = {
    ...WORKER_SETTINGS,
    workerId: row.id,
    name: row.name,
    profile,
    model,
    skipPermissions,
    sessionWidth,
    sessionHeight,
    project: { ...WORKER_SETTINGS.project, id: row.projectId },
  };
  return {
    id: id(),
    machineId: row.machineId,
    workerId: row.id,
    body: { kind: 'command', seq, command: { kind: 'close' } },
    settings,
    timeoutMs: 1,
  };
}

/** A decision on a request to go up, at a time in epoch milliseconds. */
export function eventOf(
  row: WorkerRow,
  {
    at,
    requestId = null,
    isQuiet = false,
    before = null,
  }: { at: number; requestId?: string | null; isQuiet?: boolean; before?: WorkerRow['state'] | null },
): NewEvent {
  return {
    workerId: row.id,
    workerName: row.name,
    at,
    requestId,
    actor: { kind: 'policy' },
    event: { kind: 'up-requested' },
    rules: ['up'],
    records: [],
    reply: { kind: 'accepted' },
    statusBefore: 'offline',
    statusAfter: 'offline',
    isQuiet,
    decided: {
      facts: {
        now: at,
        fresh: '',
        merge: { lease: 'free' },
        machineConnected: true,
        zone: { offsetMinutes: 0 },
        random: 0.25,
        profile: 'sim',
        trust: {},
      },
      policy: 'v',
      outcome: `o${at}`,
      before,
    },
  };
}

/** The same state with other words on why the worker is where it is. */
export function noted(state: Worker, note: string): Worker {
  return { ...state, lifecycle: { ...state.lifecycle, note } };
}

/** The same state with one more command that failed. */
export function failedOnceMore(state: Worker): Worker {
  return { ...state, command: { ...state.command, failures: state.command.failures + 1 } };
}
