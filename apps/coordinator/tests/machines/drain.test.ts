/** A machine loses its workers and gets no new ones, step by step, on scripted machines. */
import type { Actor } from '@drover/api';
import type { Query, QueryResult } from '@drover/protocol';
import type { Machine, WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { drainDueWork } from '../../src/due/drain.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { moveWorker } from '../../src/use-cases/moves/move.ts';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { addWorker } from '../../src/use-cases/workers/add.ts';
import { Nature } from '../support/scene.ts';
import { ENDS, incarnationOf, READY, twoMachines } from '../support/two-machines.ts';
import type { TwoMachines } from '../support/two-machines.ts';

const MIA: Actor = { kind: 'person', id: 'mia', name: 'mia', role: 'admin', project: null, worker: null };
const SHA = 'a'.repeat(64);
const WAITERS = { commands: new Waiters(), events: new Waiters() };

/** Answer of a machine to a query; null: none yet. */
type Answers = (query: Query, machine: Machine) => QueryResult | null;

const diligent: Answers = ({ kind }) => {
  if (kind === 'expect') return { kind: 'expected', version: '1', keeps: true };
  if (kind === 'tips') return { kind: 'tips', commits: [] };
  if (kind === 'unpack') return { kind: 'unpacked' };
  if (kind === 'place-conversation') return { kind: 'placed' };
  return kind === 'leave-place' ? { kind: 'left', kept: null } : { kind: 'packed', sha256: SHA, bytes: 10 };
};

/** Drains the machine `honest` to `liar`, with `bea`, `bob` and `cal` on it. */
class Draining {
  readonly two: TwoMachines;
  readonly nature: Nature;
  answers: Answers = diligent;
  /** Workers whose commands are not carried out, except questions: they stay as they are. */
  readonly still = new Set<string>();
  #opened = 0;

  constructor(two: TwoMachines, nature: Nature) {
    this.two = two;
    this.nature = nature;
  }

  get machines(): ReturnType<typeof createMachineFleet> {
    return createMachineFleet(this.two.ctx);
  }

  /** Lists the actions of the audit. */
  audited(): readonly string[] {
    return [...this.two.database.audit.values()].map(({ body }) => String(JSON.parse(body).action));
  }

  row({ id }: WorkerRow): WorkerRow {
    const row = this.two.database.workers.get(id);
    if (row === undefined) throw new Error('The worker is gone');
    return row;
  }

  async waits(): Promise<Readonly<Record<string, string>>> {
    const all = await this.machines.listMachines(MIA);
    return all.find(({ name }) => name === 'honest')?.cordon?.drain?.waits ?? {};
  }

  /** Leaves only idle workers: gets the others out of the way. */
  async onlyIdle(): Promise<WorkerRow> {
    const { honest, ctx, bea, bob, cal } = this.two;
    for (const { id } of [bea, bob, cal])
      await ctx.store.transaction((tx) =>
        handleEvent(ctx, tx, { workerId: id, event: { kind: 'machine-removed' }, by: { kind: 'policy' } }),
      );
    const row = await this.two.begin(honest, 'ida');
    await this.play(() => this.row(row).state.lifecycle.status === 'idle');
    return row;
  }

  async drain(deadlineMs: number | null = null): Promise<string> {
    const requestId = this.two.ctx.ids.uuid();
    await this.machines.drainMachine({ requestId, name: 'honest', deadlineMs }, MIA);
    return requestId;
  }

  /** Lets both machines carry out commands, until `until`, or for some minutes. */
  async play(until: () => boolean, rounds = 80): Promise<void> {
    const { ctx, honest, liar } = this.two;
    for (let round = 0; round < rounds && !until(); round += 1) {
      for (const machine of [honest, liar]) await ctx.store.touchMachine(sessionOf(machine), ctx.clock.now());
      const done = await drainDueWork(ctx);
      const answered = [await this.#answer(honest), await this.#answer(liar)];
      if (done > 0 || answered.includes(true)) continue;
      const next = await ctx.store.nextDueAt(ctx.clock.now());
      if (next === null) return;
      this.nature.now = Math.max(ctx.clock.now(), Math.min(next, ctx.clock.now() + 5_000));
    }
  }

  async #answer(machine: Machine): Promise<boolean> {
    const { database } = this.two;
    let did = false;
    for (const command of [...database.outbox.values()].filter(({ machineId }) => machineId === machine.id)) {
      const worker = database.workers.get(command.workerId);
      const { id: commandId, body } = command;
      if (worker === undefined || (body.kind === 'command' && this.still.has(worker.name))) continue;
      if (body.kind === 'query') {
        const result = this.answers(body.query, machine);
        if (result === null) continue;
        await this.two.say(machine, { kind: 'answer', commandId, result });
      } else {
        this.#opened += 1;
        const incarnation = `${incarnationOf(worker)}${this.#opened}`;
        const ended = ENDS[body.command.kind];
        const result = 'incarnation' in ended ? { ...ended, incarnation } : ended;
        await this.two.say(machine, { kind: 'result', workerId: worker.id, commandId, seq: body.seq, result });
        const reading = { at: this.nature.now, state: READY, fingerprint: 'f', progress: 'p', rule: 'test' };
        if (body.command.kind === 'open')
          await this.two.say(machine, { kind: 'screen', workerId: worker.id, incarnation, reading });
      }
      did = true;
    }
    return did;
  }
}

function sessionOf({ id, epoch, agentEpoch }: Machine) {
  return { machineId: id, epoch, agentEpoch };
}

async function draining(): Promise<Draining> {
  const nature = new Nature();
  return new Draining(await twoMachines(nature), nature);
}

test('given a cordoned machine, when new work comes by any way, then none of it goes there, and the refusal says what to do', async () => {
  const given = await draining();
  const ida = await given.onlyIdle();
  const { ctx, honest } = given.two;
  await given.machines.cordonMachine({ name: 'honest' }, MIA);
  const tasks = createTaskFleet(ctx, WAITERS);
  const id = (): string => ctx.ids.uuid();
  const options = () => ({ ...ida.options, profiles: [ida.options.profile] });

  const named = await addWorker(ctx, {
    input: { requestId: id(), name: 'new', machine: 'honest' },
    defaults: options,
    by: MIA,
  });
  const placed = await addWorker(ctx, { input: { requestId: id(), name: 'new' }, defaults: options, by: MIA });
  const started = await tasks.start({ requestId: id(), name: 'ida', prompt: 'do it' }, MIA);
  const taken = await ctx.store.transaction((tx) => takeItem(ctx, tx));
  const moved = await moveWorker(ctx, WAITERS, {
    requestId: id(),
    name: 'ann',
    machine: 'honest',
    dryRun: true,
    by: MIA,
  });
  await given.machines.uncordonMachine({ name: 'honest' }, MIA);
  const after = await tasks.start({ requestId: id(), name: 'ida', prompt: 'do it' }, MIA);

  const refused = { kind: 'refused', code: 'cordoned', message: expect.stringContaining('drover machine uncordon') };
  expect([named, started, moved]).toEqual([refused, refused, refused].map((one) => expect.objectContaining(one)));
  expect(placed.kind === 'ok' && placed.value.worker.machine).toBe('liar');
  expect(taken).toBeNull();
  expect(after.kind).toBe('ok');
  const audit = given.audited();
  expect(audit.filter((action) => action.endsWith('cordoned'))).toEqual(['machine-cordoned', 'machine-uncordoned']);
  expect((await ctx.store.readMachine(honest.id))?.cordon).toBeNull();
});

test('given a machine with an idle worker, when it is drained, then the worker moves and the drain is over', async () => {
  const given = await draining();
  const ida = await given.onlyIdle();

  await given.drain();
  await given.play(() => given.audited().includes('machine-drained'));

  const row = given.row(ida);
  expect(row).toMatchObject({ machineId: given.two.liar.id, state: { move: { kind: 'none' } } });
  expect(row.options.chosen?.machine?.why).toBe(
    'it was moved there from "honest" by the drain of "honest" that person mia started',
  );
  const machine = await given.two.ctx.store.readMachine(given.two.honest.id);
  expect(machine?.cordon?.drain).toMatchObject({ doneAt: expect.any(Number), waits: {} });
});

test('given a worker at its task, when its machine is drained, then it is left in peace until the deadline', async () => {
  const given = await draining();
  given.still.add('bea').add('bob').add('cal');

  await given.drain(600_000);
  await given.play(() => false, 30);
  const before = given.row(given.two.bea).state.move.kind;
  const waits = await given.waits();
  given.nature.now += 600_000;
  await given.play(() => given.row(given.two.bea).state.move.kind !== 'none');

  expect(before).toBe('none');
  expect(waits).toEqual({ bea: 'is at its task', bob: 'is being merged', cal: 'waits for an answer' });
  expect(given.row(given.two.bea).state.move).toMatchObject({ kind: 'leaving', route: { to: { name: 'liar' } } });
  expect(given.row(given.two.bob).state.move.kind).toBe('none');
});

test('given a machine that cannot take the worker, when the other is drained, then its session is not closed for that, and it is told why', async () => {
  const given = await draining();
  const ida = await given.onlyIdle();
  const words = 'The program "sim" is not on this machine';
  given.answers = (query, machine) =>
    query.kind === 'expect' ? { kind: 'failed', code: 'program-missing', message: words } : diligent(query, machine);

  await given.drain();
  await given.play(() => false, 20);

  expect(given.row(ida).state.session.pane.kind).toBe('up');
  expect(given.row(ida).machineId).toBe(given.two.honest.id);
  expect(await given.waits()).toEqual({ ida: `could not move: ${words}` });
});

test('given a drain that has begun, when it is asked for once more and the machine is uncordoned, then nothing is left of it', async () => {
  const given = await draining();
  given.still.add('bea').add('bob').add('cal');
  const requestId = await given.drain();

  await given.machines.drainMachine({ requestId, name: 'honest', deadlineMs: null }, MIA);
  const due = [...given.two.database.dueWork.values()].filter(({ kind }) => kind === 'drain');
  await given.machines.uncordonMachine({ name: 'honest' }, MIA);
  await given.play(() => false, 10);

  expect(due).toHaveLength(1);
  expect([...given.two.database.dueWork.values()].filter(({ kind }) => kind === 'drain')).toEqual([]);
  expect(given.row(given.two.bea).state.move.kind).toBe('none');
});

test('given a drain with a deadline, when another person drains the machine too, then theirs counts, and they are told what it replaces', async () => {
  const given = await draining();
  given.still.add('bea').add('bob').add('cal');
  const { ids, clock } = given.two.ctx;
  const first = { requestId: ids.uuid(), name: 'honest', deadlineMs: 600_000 };
  const deadline = clock.now() + 600_000;
  const since = clock.now();

  const begun = await given.machines.drainMachine(first, MIA);
  const repeated = await given.machines.drainMachine(first, MIA);
  const second = await given.machines.drainMachine(
    { requestId: ids.uuid(), name: 'honest', deadlineMs: null },
    { ...MIA, name: 'bob' },
  );

  expect([begun, repeated]).toMatchObject([{ value: { replaced: null } }, { value: { replaced: null } }]);
  const cordon = { by: 'bob', drain: { deadline: null } };
  expect(second).toMatchObject({ value: { replaced: { by: 'mia', since, deadline }, machine: { cordon } } });
});

test('given a machine name with a typing mistake, when it is drained, then the names that there are are said', async () => {
  const given = await draining();

  const when = await given.machines.drainMachine(
    { requestId: given.two.ctx.ids.uuid(), name: 'honset', deadlineMs: null },
    MIA,
  );

  expect(when).toMatchObject({ kind: 'refused', code: 'not-found', message: expect.stringContaining('honest, liar') });
});
