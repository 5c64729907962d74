/** Checks a worker's move between two machines with clones in other places, step by step. */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandResult, Command } from '@drover/core';
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slugOf } from '../../src/signals/transcript.ts';
import { expectKind, TestMachine } from '../support/machine.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;

/** Worker as each of the two machines knows it. */
interface Side {
  readonly machine: TestMachine;
  readonly settings: WorkerSettings;
}

let [from, to]: Side[] = [];

async function pair(): Promise<readonly [Side, Side]> {
  const [one, other] = [await TestMachine.start(), await TestMachine.start()];
  other.git(other.source, 'fetch', '-q', one.source, 'main');
  other.git(other.source, 'reset', '-q', '--hard', 'FETCH_HEAD');
  other.coordinator.parcels = one.coordinator.parcels;
  await one.agent();
  await other.agent();
  const settings = one.worker('alba');
  return [
    { machine: one, settings },
    { machine: other, settings: { ...other.worker('alba'), workerId: settings.workerId } },
  ];
}

beforeAll(async () => {
  [from, to] = await pair();
});

afterAll(async () => {
  for (const side of [from, to]) await side?.machine[Symbol.asyncDispose]();
});

function tell({ machine, settings }: Side, command: Command): Promise<CommandResult> {
  return machine.coordinator.carriedOut(settings, command);
}

function ask({ machine, settings }: Side, query: Query): Promise<QueryResult> {
  return machine.coordinator.ask(settings, query);
}

function recordIn({ machine }: Side, conversation: string): string {
  const slug = slugOf(machine.worktree());
  return join(machine.dir, 'home/.sim-agent/projects', slug, `${conversation}.jsonl`);
}

/** Carries the checkpoint of a frozen place. */
async function carry(sender: Side, receiver: Side, checkpoint: { id: string; commit: string }): Promise<void> {
  const { id, commit } = checkpoint;
  const tips = await expectKind(ask(receiver, { kind: 'tips' }), 'tips');
  const pack = { kind: 'pack', commit, not: tips.commits, maxBytes: 64 * MIB, resend: false } as const;
  const { sha256, bytes } = await expectKind(ask(sender, pack), 'packed');
  const unpack = { kind: 'unpack', from: randomUUID(), sha256, bytes, commit, checkpoint: id } as const;
  await expectKind(ask(receiver, unpack), 'unpacked');
}

test('given an agent with uncommitted work and a conversation, when its worker moves, then it goes on there with both, and the former place is cleared', async () => {
  if (from === undefined || to === undefined) throw new Error('No machines');
  const incarnation = await from.machine.ready(from.settings);
  await from.machine.turn({ settings: from.settings, incarnation }, 'EDIT a.txt two');
  const conversation = await until('the record of its conversation', () => {
    const projects = join(from?.machine.dir ?? '', 'home/.sim-agent/projects');
    return readdirSync(projects)
      .flatMap((slug) => readdirSync(join(projects, slug)))[0]
      ?.replace('.jsonl', '');
  });
  const at = from.machine.worktree();
  from.machine.commit(at, { 'b.txt': 'bee\n' }, 'one');
  writeFileSync(join(at, 'draft.txt'), 'half an idea\n');
  const move = randomUUID();

  // The agent lives: freezing ends it first.
  const frozen = await expectKind(tell(from, { kind: 'freeze', move, id: move, mustSave: true }), 'frozen');
  const again = await tell(from, { kind: 'freeze', move, id: move, mustSave: true });
  const started = await tell(from, { kind: 'open', launch: { kind: 'resume', conversation } });
  const expected = await ask(to, { kind: 'expect', move });
  const early = await tell(to, { kind: 'open', launch: { kind: 'resume', conversation } });
  await carry(from, to, { id: move, commit: frozen.commit ?? '' });
  const talk = await expectKind(
    ask(from, { kind: 'pack-conversation', conversation, maxBytes: MIB, resend: false }),
    'packed',
  );
  const { sha256, bytes, name = '' } = talk;
  const placed = await ask(to, { kind: 'place-conversation', from: randomUUID(), sha256, bytes, conversation, name });
  const restored = await tell(to, { kind: 'restore', id: move, commit: frozen.commit ?? '', saveAs: randomUUID() });
  await expectKind(tell(to, { kind: 'let-in', move }), 'let-in');
  const heard = to.machine.coordinator.stored.length;
  await expectKind(tell(to, { kind: 'open', launch: { kind: 'resume', conversation } }), 'opened');
  await to.machine.answered(to.settings, heard);
  const notLeft = await ask(to, { kind: 'leave-place', move });
  const left = await ask(from, { kind: 'leave-place', move });
  const leftAgain = await ask(from, { kind: 'leave-place', move });

  expect(again).toEqual(frozen);
  expect(started).toMatchObject({ kind: 'failed', code: 'place-frozen', retry: false });
  expect(expected).toMatchObject({ kind: 'expected', keeps: true });
  expect(early).toMatchObject({ kind: 'failed', code: 'place-frozen' });
  expect(placed).toEqual({ kind: 'placed' });
  expect(restored.kind).toBe('restored');
  const there = to.machine.worktree();
  expect(readFileSync(join(there, 'draft.txt'), 'utf8')).toBe('half an idea\n');
  expect(readFileSync(join(there, 'a.txt'), 'utf8')).toContain('two');
  expect(to.machine.git(there, 'log', '--format=%s', '-1')).toBe('one');
  expect(readFileSync(recordIn(to, conversation), 'utf8')).toContain('EDIT a.txt two');
  expect(to.machine.witnessed().find(({ event }) => event === 'started')?.resumed).toBe(true);
  expect(notLeft).toEqual({ kind: 'left', kept: null });
  expect(left).toMatchObject({ kind: 'left', kept: expect.stringContaining('refs/drover/trash/alba/') });
  expect(leftAgain).toEqual({ kind: 'left', kept: null });
  expect(existsSync(at)).toBe(false);
  expect(existsSync(there)).toBe(true);
  const spools = [from, to].map(({ machine }) => readdirSync(join(machine.dir, 'data/parcels')));
  expect(spools).toEqual([[], []]);
});

test('given a place that a gateway froze, when another gateway comes with a directory of its own, then nothing begins there, and what is left is cleared', async () => {
  await using machine = await TestMachine.start();
  const side: Side = { machine, settings: machine.worker('dora') };
  const machineDir = join(machine.dir, 'on-the-host');
  const move = randomUUID();
  const [one, other] = [join(machine.dir, 'first'), join(machine.dir, 'second')];
  await using first = await machine.agent({ machineDir, dataDir: one });
  await expectKind(tell(side, { kind: 'prepare', reset: true, saveAs: randomUUID() }), 'prepared');
  machine.commit(machine.worktree('dora'), { 'd.txt': 'd\n' }, 'of dora');
  await expectKind(tell(side, { kind: 'freeze', move, id: move, mustSave: true }), 'frozen');
  await first[Symbol.asyncDispose]();
  // The directory has the machine's key, and nothing else of the previous gateway.
  cpSync(one, other, { recursive: true, filter: (path) => !/agent\.db/u.test(path) });
  const before = machine.coordinator.agentEpoch;
  await machine.agent({ machineDir, dataDir: other });
  await until('the hello of the other gateway', () => machine.coordinator.agentEpoch !== before);

  const started = await tell(side, { kind: 'open', launch: { kind: 'resume', conversation: randomUUID() } });
  const left = await ask(side, { kind: 'leave-place', move });

  expect(started).toMatchObject({ kind: 'failed', code: 'place-frozen' });
  expect(left).toMatchObject({ kind: 'left', kept: expect.stringContaining('refs/drover/trash/dora/') });
  expect(existsSync(machine.worktree('dora'))).toBe(false);
  expect(readdirSync(join(machineDir, 'frozen'))).toEqual([]);
});

test('given what a checkpoint cannot hold, or git in the middle of something, when the place is to be frozen, then it is not, and says why', async () => {
  if (from === undefined) throw new Error('No machine');
  const { machine } = from;
  const side: Side = { machine, settings: machine.worker('bert') };
  await expectKind(tell(side, { kind: 'prepare', reset: true, saveAs: randomUUID() }), 'prepared');
  const at = machine.worktree('bert');
  const move = randomUUID();
  machine.commit(at, { 'a.txt': 'mine\n' }, 'mine');
  machine.git(at, 'checkout', '-q', '-b', 'other', 'HEAD~1');
  machine.commit(at, { 'a.txt': 'theirs\n' }, 'theirs');
  machine.git(at, 'checkout', '-q', 'drover/bert');
  try {
    machine.git(at, 'merge', '-q', 'other');
  } catch {
    // The merge conflicts, as it should.
  }

  const frozen = await tell(side, { kind: 'freeze', move, id: move, mustSave: true });
  const looked = await tell(side, { kind: 'prepare', reset: false, saveAs: randomUUID() });

  expect(frozen).toMatchObject({ kind: 'failed', code: 'operation-in-progress', retry: false });
  expect(looked.kind).toBe('prepared');
});

test('given a place that was frozen before anybody heard of it, when it cannot be saved any more, then it is worked on here again', async () => {
  if (from === undefined) throw new Error('No machine');
  const { machine } = from;
  const side: Side = { machine, settings: machine.worker('cleo') };
  const move = randomUUID();
  await expectKind(tell(side, { kind: 'prepare', reset: true, saveAs: randomUUID() }), 'prepared');
  await expectKind(tell(side, { kind: 'freeze', move, id: move, mustSave: true }), 'frozen');
  rmSync(machine.worktree('cleo'), { recursive: true });

  const frozen = await tell(side, { kind: 'freeze', move, id: move, mustSave: true });
  const prepared = await tell(side, { kind: 'prepare', reset: false, saveAs: randomUUID() });

  expect(frozen).toMatchObject({ kind: 'failed', code: 'missing' });
  expect(prepared.kind).toBe('prepared');
});

test('given an entry in the stash of a place, when it is frozen for a move, then that is refused with the words, and works again without it', async () => {
  if (from === undefined) throw new Error('No machine');
  const { machine } = from;
  const side: Side = { machine, settings: machine.worker('dora') };
  const move = randomUUID();
  await expectKind(tell(side, { kind: 'prepare', reset: true, saveAs: randomUUID() }), 'prepared');
  const at = machine.worktree('dora');
  writeFileSync(join(at, 'precious.txt'), 'p');
  machine.git(at, 'stash', '-q', '-u');

  const refused = await tell(side, { kind: 'freeze', move, id: move, mustSave: true });
  machine.git(at, 'stash', 'drop', '-q');
  const frozen = await tell(side, { kind: 'freeze', move, id: move, mustSave: true });

  const message = expect.stringContaining('1 entry in its stash');
  expect(refused).toMatchObject({ kind: 'failed', code: 'not-saved', message });
  expect(frozen.kind).toBe('frozen');
});

test('given a conversation that is not kept, when it is to be carried, then that is said in words, and no file is left', async () => {
  if (from === undefined || to === undefined) throw new Error('No machines');
  const conversation = randomUUID();
  mkdirSync(dirname(recordIn(from, conversation)), { recursive: true });

  const packed = await ask(from, { kind: 'pack-conversation', conversation, maxBytes: MIB, resend: false });
  writeFileSync(recordIn(from, conversation), 'x'.repeat(2_000));
  const large = await ask(from, { kind: 'pack-conversation', conversation, maxBytes: 1_000, resend: false });

  expect(packed).toMatchObject({ kind: 'failed', code: 'no-conversation' });
  expect(large).toMatchObject({ kind: 'failed', message: expect.stringContaining('2000 bytes') });
  expect(readdirSync(join(from.machine.dir, 'data/parcels'))).toEqual([]);
});

test('given a machine that does not know the profile, or may not start it, when a worker is expected, then it says so', async () => {
  if (to === undefined) throw new Error('No machine');
  const stranger: Side = { ...to, settings: { ...to.settings, workerId: randomUUID(), profile: 'nobody' } };

  const answer = await ask(stranger, { kind: 'expect', move: randomUUID() });
  const started = await tell(stranger, { kind: 'close' });

  expect(answer.kind).toBe('failed');
  expect(started.kind).toBe('closed');
});
