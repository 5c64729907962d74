/** What the commands that change one machine have in common: its name, and a question before anything is done. */
import type { MachineView } from '@drover/api';
import { flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';

/** The argument of these commands. */
export const MACHINE_NAME = { name: required('its name, as "drover machines" shows it') } as const;

/** The option that answers their question. */
export const YES = { yes: flag('do not ask') } as const;

/**
 * Finds the machine, then asks. @returns its name as it can be shown.
 *
 * @throws {CommandError} `not-found`, or `refused` where the answer is not "yes".
 */
export async function confirmChange(
  surroundings: Surroundings,
  { name, yes }: { readonly name: string; readonly yes: boolean },
  question: (machine: MachineView, shown: string) => string,
): Promise<string> {
  const machine = await findMachine(surroundings, name);
  const shown = plain(name);
  await confirm(question(machine, shown), { yes, terminal: surroundings.terminal });
  return shown;
}
