/** Tells the use of a task, on real records of Claude Code, over restarts of the machine agent and of the program. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import type { ObservationBody, WorkerSettings } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { worktreeOf } from '../execute/worktree-of.ts';
import { noteBegun, resultsOf } from '../signals/results.ts';
import { transcriptPath } from '../signals/transcript.ts';
import { UsageWatch } from './usage-watch.ts';

const host = createLocalHost({ env: {} });
const TASK = '01900000-0000-7000-8000-0000000000a1';
const RUN = { runId: 'r1', item: 'build', attempt: 1, returns: 'commit' } as const;
const CLAUDE = BUILT_IN_PROFILES.get('claude');
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-usage-'));
  mkdirSync(join(home, 'hooks'));
});
afterEach(() => rmSync(home, { recursive: true }));

function settingsHere(): WorkerSettings {
  return { ...WORKER_SETTINGS, project: { ...WORKER_SETTINGS.project, root: realpathSync(home) } };
}

/** Writes answers of 10 tokens each into a conversation. */
function answers(conversation: string, ...ids: readonly string[]): void {
  const cwd = worktreeOf(settingsHere());
  const path = CLAUDE === undefined ? null : transcriptPath(CLAUDE, { home, cwd, conversation });
  if (path === null) throw new Error('no record');
  mkdirSync(dirname(path), { recursive: true });
  const usage = { input_tokens: 7, output_tokens: 3 };
  const at = new Date(Date.now() + 60_000).toISOString();
  for (const id of ids)
    appendFileSync(path, `${JSON.stringify({ type: 'assistant', timestamp: at, message: { id, usage } })}\n`);
}

/** Next reading of the machine agent that began last. */
let tick: () => void = nothing;
/** Called when a reading is over. */
let isRead: () => void = nothing;

async function reading(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  isRead = resolve;
  tick();
  await promise;
}

function nothing(): void {}

/** Begins a machine agent whose worker is in a conversation. `works`: the agent is at work; the clock is the test's. */
function watch(conversation: string, works = false) {
  const told: ObservationBody[] = [];
  const settings = settingsHere();
  const parts = {
    host,
    machineDir: home,
    profiles: { of: () => ({ profile: CLAUDE }) },
    cages: { homeOf: () => home },
    panes: { atWork: works ? ['i1'] : [] },
    knownWorkers: {
      incarnationOf: () => ({ workerId: settings.workerId }),
      settingsOf: () => settings,

      lastIncarnationOf: () => ({ conversation, openedAt: 0 }),
    },
    conversationNames: { named: (_worker: string, name: string) => Promise.resolve(name) },
    outbox: { add: (body: ObservationBody) => told.push(body) },
    clock: {
      now: () => 0,
      after: (_ms: number, next: () => void) => {
        tick = next;
        isRead();
        return nothing;
      },
    },
    log: (_level: string, message: string) => {
      throw new Error(message);
    },
  };
  const usage = new UsageWatch(parts as unknown as ConstructorParameters<typeof UsageWatch>[0]);
  return { told, tell: () => usage.tell(settings), start: () => usage.start() };
}

function tokensOf(told: readonly ObservationBody[]): number | null {
  const last = told.at(-1);
  return last?.kind === 'usage' && last.usage !== null ? last.usage.input + last.usage.output : null;
}

async function begins(of: typeof RUN | null): Promise<void> {
  await noteBegun(host, resultsOf(home, WORKER_SETTINGS.workerId), { task: TASK, of });
}

test('given a task outside of runs, when its turn is over, then its use is told once, with no item', async () => {
  await begins(null);
  answers('a', 'm1', 'm2');
  const { told, tell } = watch('a');

  await tell();
  await tell();

  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ kind: 'usage', task: TASK, usage: { input: 14, output: 6, money: null } });
  expect(told[0]).toMatchObject({ of: undefined });
});

test('given a program that was started anew within its task, when the machine agent restarts too, then what was used before still counts', async () => {
  await begins(RUN);
  answers('a', 'm1', 'm2');
  await watch('a').tell();
  answers('b', 'm3');
  await watch('b').tell();

  const again = watch('b');
  await again.tell();

  expect(tokensOf(again.told)).toBe(30);
  expect(again.told[0]).toMatchObject({ of: { runId: 'r1', item: 'build', attempt: 1 } });
});

test('given a resume that copies a conversation into another file, when it is counted, then no answer counts twice', async () => {
  await begins(null);
  answers('a', 'm1', 'm2');
  const first = watch('a');
  await first.tell();
  answers('b', 'm1', 'm2', 'm3');
  const second = watch('b');
  await second.tell();

  expect([tokensOf(first.told), tokensOf(second.told)]).toEqual([20, 30]);
});

test('given the next task, when it is counted, then conversations of the task before do not count', async () => {
  await begins(null);
  answers('a', 'm1');
  await watch('a').tell();
  await begins(RUN);
  answers('b', 'm2');
  const next = watch('b');
  await next.tell();

  expect(tokensOf(next.told)).toBe(10);
});

test('given a program that tells nothing, when its agent works, then the time is told now and then, and unknown tokens as such', async () => {
  await begins(null);
  const { told, start } = watch('none', true);
  start();
  for (let times = 0; times < 6; times += 1) await reading();

  const [first] = told;
  expect(first).toMatchObject({ kind: 'usage', usage: null });
  expect(first?.kind === 'usage' && first.workedMs).toBeGreaterThanOrEqual(10_000);
});
