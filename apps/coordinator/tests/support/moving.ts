/** Moves a worker of the honest machine to the other one, which obeys. */
import { newWorker } from '@drover/core';
import type { CommandKind, CommandResult, WorkerEvent } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import type { Machine, WorkerRow } from '@drover/store';
import { drainDueWork } from '../../src/due/drain.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { Nature } from './scene.ts';
import { ENDS, incarnationOf, READY, twoMachines } from './two-machines.ts';
import type { TwoMachines } from './two-machines.ts';

const SHA = 'a'.repeat(64);

/** Answers of a machine to the queries of a move; null: none yet. */
export type Answers = (query: Query, machine: Machine) => QueryResult | null;

export const diligent: Answers = ({ kind }) => {
  switch (kind) {
    case 'expect':
      return { kind: 'expected', version: '1', keeps: true };
    case 'tips':
      return { kind: 'tips', commits: [] };
    case 'pack':
    case 'pack-conversation':
      return { kind: 'packed', sha256: SHA, bytes: 10 };
    case 'unpack':
      return { kind: 'unpacked' };
    case 'place-conversation':
      return { kind: 'placed' };
    default:
      return { kind: 'left', kept: null };
  }
};

/** A worker that moves, and the commands to both machines since. */
export class Moving {
  readonly two: TwoMachines;
  readonly nature: Nature;
  readonly worker: WorkerRow;
  readonly move: string;
  /** Commands that were carried out, in order: the machine and the kind. */
  readonly told: string[] = [];
  answers: Answers = diligent;
  /** Ends a command otherwise than a diligent machine does. */
  ends: (kind: CommandKind, machine: Machine) => CommandResult | null = () => null;
  #opened = 0;

  constructor(two: TwoMachines, nature: Nature) {
    this.two = two;
    this.nature = nature;
    this.worker = two.bea;
    this.move = two.ctx.ids.uuid();
  }

  get row(): WorkerRow {
    const row = this.two.database.workers.get(this.worker.id);
    if (row === undefined) throw new Error('The worker is gone');
    return row;
  }

  async hear(event: WorkerEvent): Promise<void> {
    const { ctx } = this.two;
    await ctx.store.transaction((tx) =>
      handleEvent(ctx, tx, { workerId: this.worker.id, event, by: { kind: 'person', id: 'mia', name: 'mia' } }),
    );
  }

  async begin(): Promise<void> {
    const { honest, liar } = this.two;
    const [from, to] = [honest, liar].map(({ id, name }) => ({ id, name }));
    if (from === undefined || to === undefined) throw new Error('No machines');
    await this.hear({ kind: 'move-requested', route: { id: this.move, from, to } });
  }

  /** Lets both machines carry out their commands, and does due work, until nothing is left; `until` ends it sooner. */
  async play(until: () => boolean = () => false): Promise<void> {
    for (let round = 0; round < 60 && !until(); round += 1) {
      const done = await drainDueWork(this.two.ctx);
      const answered = [await this.#answer(this.two.honest, until), await this.#answer(this.two.liar, until)];
      if (done === 0 && !answered.includes(true)) {
        const next = await this.two.ctx.store.nextDueAt(this.nature.now);
        const { now } = this.two.ctx.clock;
        if (next === null || next > now() + 5_000) return;
        this.nature.now = Math.max(now(), next);
      }
    }
  }

  async #answer(machine: Machine, until: () => boolean): Promise<boolean> {
    const { database } = this.two;
    let did = false;
    const own = [...database.outbox.values()].filter(
      ({ machineId, workerId }) => machineId === machine.id && workerId === this.worker.id,
    );
    for (const command of own) {
      if (until()) continue;
      const { id: commandId, body } = command;
      if (body.kind === 'query') {
        const result = this.answers(body.query, machine);
        if (result === null) continue;
        this.told.push(`${machine.name} ${body.query.kind}`);
        await this.two.say(machine, { kind: 'answer', commandId, result });
      } else {
        const ended = this.ends(body.command.kind, machine) ?? ENDS[body.command.kind];
        this.told.push(`${machine.name} ${body.command.kind}`);
        this.#opened += 1;
        const incarnation = `${incarnationOf(this.worker)}${this.#opened}`;
        const result = 'incarnation' in ended ? { ...ended, incarnation } : ended;
        await this.two.say(machine, { kind: 'result', workerId: this.worker.id, commandId, seq: body.seq, result });
        const at = this.two.ctx.clock.now();
        const reading = { at, state: READY, fingerprint: 'f', progress: 'p', rule: 'test' };
        if (body.command.kind === 'open')
          await this.two.say(machine, { kind: 'screen', workerId: this.worker.id, incarnation, reading });
      }
      did = true;
    }
    return did;
  }
}

/** Builds a move that has begun. */
export async function moving(): Promise<Moving> {
  const nature = new Nature();
  const given = new Moving(await twoMachines(nature), nature);
  await given.begin();
  return given;
}

/** Adds a worker of the same name, of another project, to the other machine. */
export async function addNamesake({ two: { ctx, liar }, worker: { name, options } }: Moving): Promise<void> {
  const [id, projectId] = [ctx.ids.uuid(), ctx.ids.uuid()];
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' };
  await ctx.store.upsertProject(
    { id: projectId, name: 'q', source: '/q', root: '/q', defaultBranch: 'main', config },
    1,
  );
  const row = { id, projectId, machineId: liar.id, name, options, state: newWorker(), createdAt: 1 };
  await ctx.store.transaction((tx) => tx.insertWorker(row));
}
