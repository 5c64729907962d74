/** `drover machine drain`: moves the workers of a machine to others, and gives it no new work. */
import type { DrainView, MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, span } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { ago, plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';
import { MACHINE_NAME } from './change.ts';
import { deadlineText } from './text.ts';

/** Milliseconds between two polls of the drain. */
const ASK_EVERY_MS = 500;

/** Exits with `refused` if somebody ended the drain. */
export const command = defineCommand({
  about: 'move each worker of a machine to another one when its task ends, and give the machine no new work',
  example: 'drover machine drain laptop\ndrover machine drain laptop --deadline 30m\ndrover machine uncordon laptop',
  args: MACHINE_NAME,
  options: {
    deadline: span('after this time, workers also move during their tasks, with their conversations'),
    detach: flag('do not wait until all have left: "drover machine" shows the progress'),
  },
  async run(surroundings, { args: { name }, options: { deadline, detach } }) {
    const { terminal } = surroundings;
    const requestId = surroundings.uuid();
    const begun = await ask(surroundings, (client) =>
      client.machines.drain.mutate({ requestId, name, deadlineMs: deadline ?? null }),
    );
    const shown = plain(name);
    const { replaced } = begun;
    if (replaced != null) {
      const yours = deadlineText(begun.machine.cordon?.drain?.deadline ?? null);
      terminal.err(`${replacedText(shown, replaced, surroundings.now())}. Your drain replaces it: ${yours}`);
    }
    const end = detach ? begun.machine : await untilDrained(surroundings, begun.machine);
    if (terminal.json) return terminal.out(JSON.stringify({ ...begun, machine: end }));
    if (detach) return terminal.out(`Drover is draining ${shown}: see "drover machine"`);
    terminal.out(`Done: no worker that can leave ${shown} is left on it`);
    for (const [worker, why] of Object.entries(end.cordon?.drain?.waits ?? {}))
      terminal.err(`${plain(worker)} ${plain(why)}`);
    terminal.err(`It gets no new work until: drover machine uncordon ${shown}`);
    return undefined;
  },
});

type Drain = NonNullable<NonNullable<MachineView['cordon']>['drain']>;

/**
 * Returns the drain of a machine, which goes on or is done.
 *
 * @throws CommandError `refused` if the drain can never finish: somebody ended it, or revoked the machine.
 */
export function drainOf({ name, state, cordon }: Pick<MachineView, 'name' | 'state' | 'cordon'>): Drain {
  const shown = plain(name);
  const drain = cordon?.drain ?? null;
  if (drain === null) throw new CommandError('refused', `Somebody else ended the drain of ${shown}`);
  if (state === 'revoked' && drain.doneAt === null)
    throw new CommandError(
      'refused',
      `${shown} is revoked, so no worker can leave it: "drover machine invite" lets it in again, "drover machine remove ${shown} --force" removes it with its workers`,
    );
  return drain;
}

async function untilDrained(surroundings: Surroundings, { name, cordon }: MachineView): Promise<MachineView> {
  let last = '';
  let since = cordon?.drain?.since;
  for (;;) {
    const machine = await findMachine(surroundings, name);
    const drain = drainOf(machine);
    if (drain.since !== since)
      surroundings.terminal.err(
        `${plain(machine.cordon?.by ?? '')} asked for the drain of ${plain(name)} again: ${deadlineText(drain.deadline)} from now on`,
      );
    since = drain.since;
    if (drain.doneAt !== null) return machine;
    const now = Object.entries(drain.waits)
      .map(([worker, why]) => `${plain(worker)} ${plain(why)}`)
      .join('; ');
    if (now !== last && now !== '') surroundings.terminal.err(`${now} …`);
    last = now;
    await surroundings.sleep(ASK_EVERY_MS);
  }
}

/** Describes a replaced drain: two people who drain one machine mean one drain, and the second learns of the first one's deadline. */
function replacedText(shown: string, { by, since, deadline }: NonNullable<DrainView['replaced']>, now: number): string {
  return `${shown} was already being drained by ${plain(by)} (started ${ago(now - since)}), ${deadlineText(deadline)}`;
}
