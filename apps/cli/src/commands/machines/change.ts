/** What the commands that change one machine have in common: its name, a question before anything is done, and JSON where it is wanted. */
import type { MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import type { Client } from '../../client/calls.ts';
import { flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';

/** The argument of these commands. */
export const MACHINE_NAME = { name: required('its name, as "drover machines" shows it') } as const;

/** The option that answers their question. */
export const YES = { yes: flag('do not ask') } as const;

/** One change of a machine. */
interface Change<T> {
  /** What a person is asked. `shown`: the machine's name as it can be shown. */
  readonly question: (machine: MachineView, shown: string) => string;
  readonly make: (client: Client) => Promise<T>;
  /** Prints what was done, for people. */
  readonly tell: (done: T, shown: string) => void;
}

/**
 * Finds the machine, asks the person, makes the change and prints it.
 *
 * @throws {CommandError} `not-found`, or `refused` where the answer is not "yes".
 */
export async function changeMachine<T>(
  surroundings: Surroundings,
  { name, yes }: { readonly name: string; readonly yes: boolean },
  { question, make, tell }: Change<T>,
): Promise<void> {
  const { terminal } = surroundings;
  const machine = await findMachine(surroundings, name);
  const shown = plain(name);
  await confirm(question(machine, shown), { yes, terminal });
  const done = await ask(surroundings, make);
  if (terminal.json) terminal.out(JSON.stringify(done));
  else tell(done, shown);
}
