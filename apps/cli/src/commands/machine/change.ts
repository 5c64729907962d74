/** Shared parts of the commands that change one machine or gateway: its name, a question before the change, and JSON if wanted. */
import { ask } from '../../client/client.ts';
import type { Client } from '../../client/calls.ts';
import { flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';

export const MACHINE_NAME = { name: required('its name, as "drover machine" shows it') } as const;

/** The option that answers the question in advance. */
export const YES = { yes: flag('do not ask') } as const;

/** A change of a machine or gateway, of which `S` is the present state and `T` the answer. */
interface Change<S, T> {
  /** @throws {CommandError} `not-found`: a wrong name is reported before a person is asked. */
  readonly find: (surroundings: Surroundings, name: string) => Promise<S>;
  /** Returns the question to the person. `shown`: the name as it can be shown. */
  readonly question: (found: S, shown: string) => string;
  readonly make: (client: Client) => Promise<T>;
  /** Prints the result, for people. */
  readonly tell: (done: T, shown: string) => void;
}

/**
 * Finds the machine or gateway, asks the person, makes the change and prints it.
 *
 * @throws {CommandError} `not-found`, or `refused` if the answer is not "yes".
 */
export async function change<S, T>(
  surroundings: Surroundings,
  { name, yes }: { readonly name: string; readonly yes: boolean },
  { find, question, make, tell }: Change<S, T>,
): Promise<void> {
  const { terminal } = surroundings;
  const shown = plain(name);
  await confirm(question(await find(surroundings, name), shown), { yes, terminal });
  const done = await ask(surroundings, make);
  if (terminal.json) terminal.out(JSON.stringify(done));
  else tell(done, shown);
}
