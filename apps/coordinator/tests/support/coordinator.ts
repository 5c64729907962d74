/** Starts a coordinator for tests on a database of its own, its caller, and a machine that obeys. */
import { randomUUID } from 'node:crypto';
import type { Command, CommandResult } from '@drover/core';
import type { ObservationBody, CommandEnvelope } from '@drover/protocol';
import { openTestDatabase } from '@drover/store/testing';
import { replica, SECRET } from '../../src/testing/replica.ts';
import type { Coordinator, CoordinatorOptions } from '../../src/index.ts';
import { until as poll } from '../../../../tools/fleet/wait.ts';
import { ScriptedMachine } from './scripted-machine.ts';

export { replica, SECRET };

export interface Scene extends AsyncDisposable {
  readonly coordinator: Coordinator;
  readonly machine: ScriptedMachine;
  readonly databaseUrl: string;
}

/** Starts a coordinator and a connected, obedient machine. `ready` prepares the database before anybody uses it. */
export async function scene(
  patch: Partial<CoordinatorOptions> = {},
  ready: (databaseUrl: string) => Promise<void> = () => Promise.resolve(),
): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase());
  await ready(database.connectionString);
  const coordinator = stack.use(await replica(database.connectionString, patch));
  const machine = stack.use(new ScriptedMachine(coordinator.url));
  await machine.join(await coordinator.invite());
  await machine.hello();
  machine.script = obedient;
  await machine.connect();
  const kept = stack.move();
  return {
    coordinator,
    machine,
    databaseUrl: database.connectionString,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Calls a procedure over HTTP as the CLI does. */
export async function call(url: string, path: string, input?: unknown): Promise<unknown> {
  return callAs({ url, token: SECRET }, path, input);
}

/** Calls a procedure over HTTP with a token. */
export async function callAs(
  { url, token }: { readonly url: string; readonly token: string },
  path: string,
  input?: unknown,
): Promise<unknown> {
  const isQuery =
    /^(info|workers\.list|machines\.list|workers\.(why|awaitAccept)|events|errors|queue\.(list|show)|escalations\.list|tokens\.list|webhooks\.(list|deliveries)|audit\.list|profiles\.list|doctor\.diagnose)$/.test(
      path,
    );
  const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const response = await fetch(`${url}/trpc/${path}${query}`, {
    method: isQuery ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(isQuery ? {} : { body: JSON.stringify(input ?? null) }),
  });
  const answer = (await response.json()) as {
    result?: { data: unknown };
    error?: { message: string; data: { reason: string } };
  };
  if (answer.error !== undefined) throw new Error(`${answer.error.data.reason}: ${answer.error.message}`);
  return answer.result?.data;
}

export interface Seen {
  readonly name: string;
  readonly status: string;
  readonly note: string;
  readonly id: string;
}

export async function workers(url: string): Promise<readonly Seen[]> {
  return (await call(url, 'workers.list')) as readonly Seen[];
}

/** Waits until the worker is in the state. @throws with its present state and its story after two minutes. */
export async function until(url: string, name: string, status: string): Promise<Seen> {
  return untilNoted(url, name, { status, note: /(?:)/u });
}

/** Waits until the worker is in the state, with such a note. @throws with its present state and its story after two minutes. */
export async function untilNoted(
  url: string,
  name: string,
  { status, note }: { readonly status: string; readonly note: RegExp },
): Promise<Seen> {
  let worker: Seen | undefined;
  return poll(
    async () => `"${name}" to be ${status}; it is ${worker?.status} (${worker?.note})\n${await story(url, name)}`,
    async () => {
      worker = (await workers(url)).find((one) => one.name === name);
      return worker?.status === status && note.test(worker.note) ? worker : undefined;
    },
    120_000,
  );
}

/** Lists all decisions about the worker, the oldest first, for the reader of a failed test. */
export async function story(url: string, name: string): Promise<string> {
  const { history } = (await call(url, 'workers.why', { name, limit: 100 })) as {
    readonly history: readonly { readonly kind: string; readonly rules: readonly string[]; readonly said: unknown }[];
  };
  return history
    .toReversed()
    .map(({ kind, rules, said }) => `${kind} [${rules.join(' ')}] ${JSON.stringify(said)}`)
    .join('\n');
}

export const newId = (): string => randomUUID();

let panes = 0;
/** Panes of workers at this machine, by worker. */
export const incarnations = new Map<string, string>();

/** Commit that every worker's agent makes. */
export const WORK = { head: 'b'.repeat(40), tree: 'e'.repeat(40) } as const;
/** Commit of that work on the default branch. */
const MADE = { commit: 'c'.repeat(40), tree: 'f'.repeat(40) } as const;

/** Answers as a machine with a quick and diligent agent. */
export function obedient({ id: commandId, settings, body }: CommandEnvelope): readonly ObservationBody[] {
  const { workerId } = settings;
  if (body.kind === 'query') {
    return [
      {
        kind: 'answer',
        commandId,
        result: {
          kind: 'diff',
          text: '+work',
          ...WORK,
          base: 'a'.repeat(40),
          commits: [{ commit: WORK.head, subject: 'work', author: 'a' }],
          notes: [],
          standing: { workedAt: 1, base: 'a'.repeat(40), basedAt: 1, behind: 0, upstream: null },
        },
      },
    ];
  }
  const { command, seq } = body;
  const result = (value: CommandResult): ObservationBody => ({
    kind: 'result',
    workerId,
    commandId,
    seq,
    result: value,
  });
  const before = result(resultOf(command, workerId));
  if (command.kind === 'open' || command.kind === 'respawn') return [before, screen(workerId, 'ready')];
  if (command.kind === 'deliver') return [before, screen(workerId, 'processing'), screen(workerId, 'ready')];
  return [before];
}

function resultOf(command: Command, workerId: string): CommandResult {
  switch (command.kind) {
    case 'prepare':
      return { kind: 'prepared', base: 'aaaaaaa', head: 'aaaaaaa', saved: null };
    case 'open':
    case 'respawn':
      panes += 1;
      incarnations.set(workerId, `1.1.%${panes}.${panes}`);
      return { kind: 'opened', incarnation: `1.1.%${panes}.${panes}` };
    case 'close':
      incarnations.delete(workerId);
      return { kind: 'closed' };
    case 'deliver':
      return {
        kind: 'delivered',
        at: tick(),
        receipt: { evidence: ['transcript'], steps: [], method: 'paste', bytes: command.text.length, enters: 1 },
      };
    case 'observe': {
      const { incarnation, reading } = screenOf(workerId, 'ready');
      const git = { head: WORK.head, ahead: 1, dirty: 0, subject: 'work', rebasing: false, unmerged: 0 };
      return { kind: 'observed', incarnation, screen: reading, git, delivery: null };
    }
    case 'answer':
      return { kind: 'answered', label: 'Yes' };
    case 'rebase':
      return { kind: 'rebased', base: 'aaaaaaa', from: WORK.head, head: WORK.head, moved: false };
    case 'resolution':
      return { kind: 'judged', verdict: 'resolved', head: WORK.head, why: 'has resolved', prompt: '', notes: [] };
    case 'candidate':
      return {
        kind: 'candidate',
        head: command.at?.head ?? WORK.head,
        headTree: WORK.tree,
        base: 'a'.repeat(40),
        commit: MADE.commit,
        tree: MADE.tree,
        checks: 'make',
        notes: [],
      };
    case 'extend': {
      const links = command.items.map(({ worker, at }, index) => {
        const base = index === 0 ? command.onto : (command.items[index - 1]?.at.head ?? '');
        return { worker, head: at.head, base, commit: at.head, tree: at.tree ?? WORK.tree };
      });
      return { kind: 'extended', onto: command.onto, links, left: [] };
    }
    case 'validate':
      return { kind: 'valid', head: command.at.head, tree: command.at.tree ?? '', checks: 'make' };
    case 'publish':
      return { kind: 'published', commit: command.commit };
    case 'prove':
      return { kind: 'proven', commit: command.commit };
    case 'recycle':
      return { kind: 'recycled', base: MADE.commit };
    case 'remove':
      return { kind: 'removed', kept: null };
    case 'checkpoint':
      return { kind: 'checkpointed', commit: null, head: 'aaaaaaa', dirty: 0 };
    case 'freeze':
      return { kind: 'frozen', commit: 'f'.repeat(40) };
    case 'interrupt':
      return { kind: 'at-rest', pressed: 1 };
    case 'set-up':
      return { kind: 'set-up', said: '' };
    case 'let-in':
      return { kind: 'let-in' };
    case 'restore':
      return { kind: 'restored', head: 'aaaaaaa', saved: null };
    default:
      return command satisfies never;
  }
}

let ticks = 0;
function tick(): number {
  ticks += 1;
  return ticks;
}

function screenOf(workerId: string, kind: 'ready' | 'processing'): Extract<ObservationBody, { kind: 'screen' }> {
  const composer = { kind: 'empty' } as const;
  const state =
    kind === 'ready' ? ({ kind, after: 'completed', composer } as const) : ({ kind, queued: false, composer } as const);
  const at = tick();
  const reading = { at, state, fingerprint: kind, progress: String(at), rule: 'test' };
  return { kind: 'screen', workerId, incarnation: incarnations.get(workerId) ?? 'none', reading };
}

export function screen(workerId: string, kind: 'ready' | 'processing'): ObservationBody {
  return screenOf(workerId, kind);
}
