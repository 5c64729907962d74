/** `drover worker move`: moves a worker to another machine, and waits until its agent is seen there. */
import type { MovePlanView, WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { listWorkers } from './by-name.ts';

/** Milliseconds to wait: parcels are kept for an hour, then the worker comes back by itself. */
const PATIENCE_MS = 75 * 60_000;
/** Milliseconds between two polls of the move. */
const ASK_EVERY_MS = 200;

/** Exits with `refused` and the reason; the worker then continues on its previous machine. */
export const command = defineCommand({
  about: 'move a worker to another machine, with its branch, uncommitted work and conversation',
  example:
    'drover worker move adam big-one --dry-run\ndrover worker move adam big-one\ndrover worker move adam --cancel',
  args: { name: required('which worker'), machine: optional('to which machine') },
  options: {
    dryRun: flag('show what would be done, without doing it'),
    cancel: flag('cancel a move: the worker continues on its previous machine'),
  },
  async run(surroundings, { args: { name, machine }, options: { dryRun, cancel } }) {
    const { terminal } = surroundings;
    if (cancel === (machine !== undefined)) throw new CommandError('usage', 'Name a machine, or give --cancel');
    const requestId = surroundings.uuid();
    if (machine === undefined) {
      const { worker } = await ask(surroundings, (client) => client.workers.cancelMove.mutate({ requestId, name }));
      const end = await untilItStays(surroundings, worker);
      terminal.out(terminal.json ? JSON.stringify(end) : `${name} is on ${plain(end.machine)} and continues there`);
      return;
    }
    const plan = await ask(surroundings, (client) => client.workers.move.mutate({ requestId, name, machine, dryRun }));
    if (!terminal.json) terminal.out(planText(plan));
    if (dryRun) {
      if (terminal.json) terminal.out(JSON.stringify(plan));
      return;
    }
    const end = await untilItStays(surroundings, plan.worker);
    if (end.machine !== plan.to)
      throw new CommandError(
        'refused',
        `${name} is on ${plain(end.machine)}: ${plain(end.note)}; see "drover why ${name}"`,
      );
    terminal.out(terminal.json ? JSON.stringify({ ...plan, worker: end }) : `Done: ${name} is on ${plain(plan.to)}`);
  },
});

async function untilItStays(surroundings: Surroundings, { id, name }: WorkerView): Promise<WorkerView> {
  const end = surroundings.now() + PATIENCE_MS;
  let last = '';
  for (;;) {
    const now = (await listWorkers(surroundings)).find((one) => one.id === id);
    if (now === undefined) throw new CommandError('not-found', `${name} was removed in the meantime`);
    if (now.moving === null) return now;
    if (now.moving !== last) surroundings.terminal.err(`${name}: ${plain(now.moving)} …`);
    last = now.moving;
    if (surroundings.now() > end)
      throw new CommandError(
        'refused',
        `${name} is still moving. The move continues by itself: see "drover why ${name}"`,
      );
    await surroundings.sleep(ASK_EVERY_MS);
  }
}

function planText({ worker, from, to, steps, left, requested }: MovePlanView): string {
  const title = requested ? 'moves' : 'would move';
  return [
    `${worker.name} ${title} from ${plain(from)} to ${plain(to)}:`,
    ...steps.map((step, index) => `  ${index + 1}. ${plain(step)}`),
    'It leaves behind:',
    ...left.map((one) => `  - ${plain(one)}`),
  ].join('\n');
}
