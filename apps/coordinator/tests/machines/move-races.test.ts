/** Requests of people, drains and merges for one worker at the same moment. On scripted machines. */
import type { Actor, Outcome } from '@drover/api';
import type { Machine, WorkerRow } from '@drover/store';
import { describe, expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { moveWorker } from '../../src/use-cases/moves/move.ts';
import { isIdleInPool } from '../../src/facts/queue/rules.ts';
import { addNamesake, diligent, Moving } from '../support/moving.ts';
import { Nature } from '../support/scene.ts';
import { twoMachines } from '../support/two-machines.ts';

const MIA: Actor = { kind: 'person', id: 'mia', name: 'mia', role: 'admin', project: null, worker: null };
const BEN: Actor = { ...MIA, id: 'ben', name: 'ben' };

/** A worker that stays, and the requests of people. Questions to machines wait until `reply` answers them. */
class Crowd {
  readonly moving: Moving;
  readonly #waiters = { commands: new Waiters() };

  constructor(moving: Moving) {
    this.moving = moving;
  }

  get worker(): WorkerRow {
    return this.moving.row;
  }

  get target(): Machine {
    return this.moving.two.liar;
  }

  move(by: Actor, requestId = this.moving.two.ctx.ids.uuid()): Promise<Outcome<unknown>> {
    const { name } = this.moving.worker;
    const input = { requestId, name, machine: this.target.name, dryRun: false, by };
    const { ctx } = this.moving.two;
    // Only an answer wakes a call that waits for it.
    const clock = { now: () => ctx.clock.now(), after: () => () => {} };
    return moveWorker({ ...ctx, clock }, this.#waiters, input);
  }

  /** Waits until `questions` questions are open, so that the next step comes between question and answer. */
  async asked(questions: number): Promise<readonly { readonly id: string; readonly machineId: string }[]> {
    for (let turns = 0; turns < 10_000; turns += 1) {
      const open = [...this.moving.two.database.outbox.values()].filter(
        ({ body, workerId }) => body.kind === 'query' && workerId === this.worker.id && body.query.kind === 'expect',
      );
      if (open.length >= questions) return open;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`The target was not asked ${questions} time(s)`);
  }

  /** Answers for the target that the worker can come, to all calls. */
  async reply(questions = 1): Promise<void> {
    for (const { id: commandId } of await this.asked(questions)) {
      await this.moving.two.say(this.target, {
        kind: 'answer',
        commandId,
        result: { kind: 'expected', version: '1', keeps: true },
      });
      this.wake(commandId);
    }
  }

  /** Drains the worker's machine, busy workers included. */
  async drain(): Promise<void> {
    const { two, nature } = this.moving;
    const requestId = two.ctx.ids.uuid();
    await createMachineFleet(two.ctx).drainMachine({ requestId, name: 'honest', deadlineMs: 1 }, MIA);
    nature.now += 10;
  }

  /** Lists the places that were left and opened, in order. */
  comings(): readonly string[] {
    return this.moving.told.filter((what) => /freeze|open|leave-place/u.test(what));
  }

  /** Wakes the calls that wait for the answer. */
  wake(commandId: string): void {
    this.#waiters.commands.wake(`answer:${commandId}`);
  }
}

async function crowd(): Promise<Crowd> {
  const nature = new Nature();
  return new Crowd(new Moving(await twoMachines(nature), nature));
}

const refused = (code: string): unknown => expect.objectContaining({ kind: 'refused', code });

describe('a move, and something else at the same moment', () => {
  test('given two people who move one worker at once, when both machines have answered, then it moves once and the other is told so', async () => {
    const given = await crowd();
    const both = [given.move(MIA), given.move(BEN)];
    await given.reply(2);

    const outcomes = await Promise.all(both);

    expect(outcomes.filter(({ kind }) => kind === 'ok')).toHaveLength(1);
    expect(outcomes).toContainEqual(refused('moving'));
    expect(given.worker.state.move.kind).toBe('leaving');
  });

  test('given a move whose machine answers late, when the worker has moved there meanwhile, then the second does not take it for where it was', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    await given.asked(1);
    await given.moving.begin();
    given.moving.answers = (query, machine) =>
      query.kind === 'expect' && query.move === null ? null : diligent(query, machine);
    await given.moving.play(() => given.moving.told.includes('honest leave-place'));
    const { version } = given.worker;
    await given.reply(1);

    expect(await late).toEqual(refused('moved'));
    expect(given.worker).toMatchObject({ version, machineId: given.target.id, state: { move: { kind: 'none' } } });
  });

  test('given a machine that is cordoned while it is asked, when it says that the worker can come, then it gets no new work', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    await given.asked(1);
    await createMachineFleet(given.moving.two.ctx).cordonMachine({ name: given.target.name }, MIA);
    await given.reply();

    expect(await late).toEqual(refused('cordoned'));
    expect(given.worker.state.move.kind).toBe('none');
  });

  test('given a person who moves a worker while its machine is drained, when the drain is first, then it goes once and the person is told so', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    const [question] = await given.asked(1);
    await given.drain();
    await given.moving.play(() => given.worker.state.move.kind !== 'none');
    given.wake(question?.id ?? '');

    expect(await late).toEqual(refused('moving'));
    await given.moving.play();
    expect(given.worker).toMatchObject({ machineId: given.target.id, state: { move: { kind: 'none' } } });
    expect(given.comings()).toEqual(['honest freeze', 'liar open', 'honest leave-place']);
  });

  test('given a worker on its way, when its machine is drained in the middle of that, then it goes once, and the drain waits for it', async () => {
    const given = await crowd();
    await given.moving.begin();
    await given.moving.play(() => given.moving.told.includes('honest freeze'));
    await given.drain();

    await given.moving.play();

    expect(given.worker).toMatchObject({ machineId: given.target.id, state: { move: { kind: 'none' } } });
    expect(given.comings()).toEqual(['honest freeze', 'liar open', 'honest leave-place']);
  });

  test('given a namesake that comes to the machine while it is asked, when it says that the worker can come, then that is refused', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    await given.asked(1);
    await addNamesake(given.moving);
    await given.reply();

    expect(await late).toEqual(refused('name-taken'));
  });

  test('given a worker that is removed while its machine is asked, when that says that it can come, then nothing moves', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    await given.asked(1);
    const before = given.worker;
    await given.moving.hear({ kind: 'nuke-requested', force: true, task: 'drop' });
    await given.reply();

    expect(await late).toMatchObject({ kind: 'refused' });
    expect(given.moving.two.database.workers.get(before.id)?.state.move.kind ?? 'none').toBe('none');
  });

  test('given a worker that is gone before the target has answered, when the question went with it, then the person hears that at once', async () => {
    const given = await crowd();
    const late = given.move(BEN);
    const [question] = await given.asked(1);
    await given.moving.two.ctx.store.transaction((tx) => tx.deleteWorker(given.moving.worker.id));
    given.moving.nature.now += 1_000;
    given.wake(question?.id ?? '');

    expect(await late).toMatchObject({ code: 'machine', message: expect.stringContaining('was removed before') });
  });

  test('given a move that was granted, when the same request comes again after the worker is there, then it is not refused', async () => {
    const given = await crowd();
    const requestId = given.moving.two.ctx.ids.uuid();
    const first = given.move(BEN, requestId);
    await given.reply();
    await first;
    await given.moving.play(() => given.moving.told.includes('honest leave-place'));
    const again = given.move(BEN, requestId);
    await given.asked(1);
    const [{ id: commandId } = { id: '' }] = await given.asked(1);
    const result = { kind: 'failed', code: 'session-here', message: 'A session runs there' } as const;
    await given.moving.two.say(given.target, { kind: 'answer', commandId, result });
    given.wake(commandId);

    expect(await again).toMatchObject({ kind: 'ok' });
    expect(given.worker).toMatchObject({ machineId: given.target.id, state: { move: { kind: 'none' } } });
  });

  test('given an idle worker that moves, when the work queue looks for one, then it waits for none that is on its way', async () => {
    const given = await crowd();
    await given.moving.begin();
    const { state } = given.worker;
    const idle = { ...given.worker, state: { ...state, lifecycle: { ...state.lifecycle, status: 'idle' as const } } };

    expect(isIdleInPool({ ...idle, state: { ...idle.state, move: { kind: 'none' } } })).toBe(true);
    expect(isIdleInPool(idle)).toBe(false);
  });
});
