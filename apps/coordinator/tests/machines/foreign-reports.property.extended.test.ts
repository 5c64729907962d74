/** Messages of any one machine never change anything on record of another machine's workers. */
import type { CommandKind } from '@drover/core';
import type { Observation, ObservationBody, SyncRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUSY, contentsOf, ENDS, incarnationOf, readingOf, READY, twoMachines } from '../support/two-machines.ts';
import type { TwoMachines } from '../support/two-machines.ts';

/** Sequences of messages at every commit, each of up to twelve; always the same ones. */
const RUNS = { numRuns: 120, seed: 76 };

/** A report of a machine; the numbers in it choose among the workers, commands and lives of both machines. */
interface Lie {
  readonly kind: ObservationBody['kind'];
  readonly worker: number;
  readonly command: number;
  readonly pane: number;
  readonly seq: number;
  readonly end: CommandKind | 'failed' | 'unknown';
  readonly at: number;
  /** Number in the buffer. */
  readonly number: number;
}

/** A message, or an event between two. */
interface Message {
  readonly does: 'say' | 'say' | 'say' | 'hello' | 'take-commands' | 'repeat';
  readonly lies: readonly Lie[];
  readonly acks: readonly number[];
  /** Index of the hello, counted from the last. */
  readonly session: number;
  readonly buffer: 'own' | 'other';
}

const some = fc.nat({ max: 30 });
const ends = [...Object.keys(ENDS), 'failed', 'unknown'] as (CommandKind | 'failed' | 'unknown')[];

const lie: fc.Arbitrary<Lie> = fc.record({
  kind: fc.constantFrom('screen', 'exit', 'result', 'result', 'answer', 'tool-failed', 'usage', 'quota', 'panes'),
  worker: some,
  command: some,
  pane: some,
  seq: fc.nat({ max: 12 }),
  end: fc.constantFrom(...ends),
  at: fc.constantFrom(0, 1, 1_000_100, 2_000_000, Number.MAX_SAFE_INTEGER),
  number: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Number.MAX_SAFE_INTEGER)),
});

const messages: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.record({
    does: fc.constantFrom('say', 'say', 'say', 'hello', 'take-commands', 'repeat'),
    lies: fc.array(lie, { maxLength: 8 }),
    acks: fc.array(some, { maxLength: 5 }),
    session: fc.nat({ max: 2 }),
    buffer: fc.constantFrom('own', 'own', 'own', 'other'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('given any sequence of messages of one machine, when they come, then nothing of the workers of another changes', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async (sequence) => {
      const given = await twoMachines();
      const before = contentsOf(given, given.honest);

      await play(given, sequence);

      expect(contentsOf(given, given.honest)).toEqual(before);
    }),
    RUNS,
  );
});

test('given the same sequences, when the machine tells them of its own workers too, then those do change: the property is not empty', async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(messages, async (sequence) => {
      const given = await twoMachines();
      const before = JSON.stringify(given.database.workers.get(given.ann.id));

      await play(given, sequence);

      if (JSON.stringify(given.database.workers.get(given.ann.id)) !== before) changed += 1;
    }),
    { ...RUNS, numRuns: 40 },
  );

  expect(changed).toBeGreaterThan(10);
});

async function play(given: TwoMachines, sequence: readonly Message[]): Promise<void> {
  const { ctx, liar } = given;
  const sessions: Machine[] = [liar];
  let last: { machine: Machine; request: Partial<SyncRequest> & { observations: readonly Observation[] } } | null =
    null;
  for (const message of sequence) {
    const machine = sessions.at(-1 - message.session) ?? liar;
    if (message.does === 'hello') sessions.push(await given.hello(sessions.at(-1) ?? liar));
    else if (message.does === 'take-commands') await ctx.store.takeCommands(machine.id, machine.epoch, 50);
    else if (message.does === 'repeat' && last !== null)
      await given.send(last.machine, last.request.observations.toReversed(), last.request);
    else {
      const request = requestOf(given, message);
      last = { machine, request };
      await given.send(machine, request.observations, request);
    }
  }
}

function requestOf(given: TwoMachines, { lies, acks, buffer }: Message) {
  const { honest } = given;
  return {
    observations: lies.map((one) => ({ seq: one.number, at: one.at, body: bodyOf(given, one) })),
    acks: acks.map((index) => commandsOf(given, index).id),
    ...(buffer === 'other' && { agentEpoch: honest.agentEpoch ?? '' }),
  };
}

function bodyOf(given: TwoMachines, { kind, worker, command, pane, seq, end, at }: Lie): ObservationBody {
  const { ann, bea, bob, cal } = given;
  const all = [ann, bea, bob, cal];
  const workerId = all[worker % 5]?.id ?? given.queryId;
  const incarnation = [...all.map(incarnationOf), '1.1.%1.new'][pane % 5] ?? '';
  const reading = readingOf(pane % 2 === 0 ? READY : BUSY, at);
  const { id: commandId, number } = commandsOf(given, command);
  switch (kind) {
    case 'screen':
      return { kind, workerId, incarnation, reading };
    case 'exit':
      return {
        kind,
        workerId,
        exit: { incarnation, status: seq, signal: null, lastLines: ['limit'], limit: { resets: null }, at },
      };
    case 'result':
      return { kind, workerId, commandId, seq: pane % 3 === 0 ? seq : number, result: endOf(end, incarnation) };
    case 'answer':
      return { kind, commandId, result: { kind: 'pane', text: 'a lie' } };
    case 'tool-failed':
      return { kind, workerId, incarnation: pane % 3 === 0 ? null : incarnation, report: { ...FAILURE, at } };
    case 'usage': {
      const usage = { input: at, cached: 0, output: seq, money: null };
      const of = { runId: 'a-run', item: 'build', attempt: 1 };
      return { kind, workerId, task: workerId, since: at, of, workedMs: seq, usage };
    }
    case 'quota':
      return {
        kind,
        workerId,
        account: pane % 3 === 0 ? 'a-lie' : null,
        quota: { windows: [{ name: '5 h', usedPercent: seq % 100, resetsAt: at, at }] },
      };
    case 'panes':
      return {
        kind,
        panes: all.slice(worker % 5).map(({ id }) => ({ workerId: id, incarnation, dead: seq % 2 === 0 })),
      };
    default:
      return kind satisfies never;
  }
}

/** Picks a command of any machine, or one that never existed. */
function commandsOf({ database, ann }: TwoMachines, index: number): { id: string; number: number } {
  const all = [...database.outbox.values(), ...database.ended.values()];
  const found = all[index % (all.length + 1)];
  if (found === undefined) return { id: ann.id, number: 1 };
  return { id: found.id, number: found.body.kind === 'command' ? found.body.seq : 0 };
}

function endOf(end: Lie['end'], incarnation: string) {
  if (end === 'failed') return { kind: end, code: 'timed-out', message: 'a lie', retry: false };
  if (end === 'unknown') return { kind: end, why: 'a lie' };
  const result = ENDS[end];
  return 'incarnation' in result ? { ...result, incarnation } : result;
}

const FAILURE = {
  conversation: 'c',
  tool: 'Bash',
  name: 'npm test',
  class: 'rate_limit',
  rule: 'r',
  phase: null,
  evidence: 'e',
  signature: 's',
  operation: 'o',
  action: { kind: 'escalate', title: 'stop', needed: 'you', remediation: [] },
  pauseAccount: { service: null, until: 5_000_000 },
} as const;
