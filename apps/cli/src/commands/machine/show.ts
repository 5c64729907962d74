/** `drover machine show`: prints one machine, its condition, and its programs. */
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { findMachine } from './by-name.ts';
import { MACHINE_NAME } from './change.ts';
import { machineText } from './text.ts';

export const command = defineCommand({
  about: 'show a machine: load, memory, disk, clock, programs and versions',
  example: 'drover machine show laptop',
  args: MACHINE_NAME,
  async run(surroundings, { args: { name } }) {
    answer(surroundings, await findMachine(surroundings, name), machineText);
  },
});
