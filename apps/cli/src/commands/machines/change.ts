/** Shared parts of the commands that change one machine: its name, a question before the change, and JSON if wanted. */
import type { GatewayView, MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import type { Client } from '../../client/calls.ts';
import { flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';

export const MACHINE_NAME = { name: required('its name, as "drover machines" shows it') } as const;

/** The option that answers the question in advance. */
export const YES = { yes: flag('do not ask') } as const;

/** A change of a machine. */
interface Change<T> {
  /** Returns the question to the person. `shown`: the machine's name as it can be shown. */
  readonly question: (machine: MachineView, shown: string) => string;
  readonly make: (client: Client) => Promise<T>;
  /** Returns the question about a gateway. */
  readonly gatewayQuestion: (gateway: GatewayView, shown: string) => string;
  /** Prints the result, for people. */
  readonly tell: (done: T, shown: string, isGateway: boolean) => void;
}

/**
 * Finds the machine, asks the person, makes the change and prints it.
 *
 * @throws {CommandError} `not-found`, or `refused` if the answer is not "yes".
 */
export async function changeMachine<T>(
  surroundings: Surroundings,
  { name, yes }: { readonly name: string; readonly yes: boolean },
  { question, gatewayQuestion, make, tell }: Change<T>,
): Promise<void> {
  const { terminal } = surroundings;
  const gateways = await ask(surroundings, (client) => client.machines.gateways.query());
  const gateway = gateways.find((one) => one.name === name);
  const shown = plain(name);
  const words =
    gateway === undefined ? question(await findMachine(surroundings, name), shown) : gatewayQuestion(gateway, shown);
  await confirm(words, { yes, terminal });
  const done = await ask(surroundings, make);
  if (terminal.json) terminal.out(JSON.stringify(done));
  else tell(done, shown, gateway !== undefined);
}
