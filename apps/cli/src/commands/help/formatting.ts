/** `drover help formatting`: prints how output can be shaped. */
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';

/** Ways to shape output, for people and as data. */
const FORMATTING = [
  { option: '--json', does: 'prints data and errors as JSON, complete and without colours' },
  { option: '--json=name,status', does: 'prints these fields alone; a dot goes into a field: worker.name' },
  { option: '-q, --quiet', does: 'prints the names of a list alone, a line each' },
  { option: '--wide', does: 'prints all columns of a list and cuts none' },
  { option: '--color=never', does: 'prints no colors; "always" prints them into a pipe too' },
  { option: 'NO_COLOR=1', does: 'prints no colors; CLICOLOR=0 does the same' },
  { option: 'CLICOLOR_FORCE=1', does: 'prints colors into a pipe too' },
] as const;

export const command = defineCommand({
  about: 'explain how output can be shaped: fields, names, columns, colors',
  example: 'drover worker --json=name,status | jq -r ".[].name"\ndrover worker --quiet | xargs -n1 drover why',
  run(surroundings) {
    answer(surroundings, FORMATTING, (ways) =>
      ways.map(({ option, does }) => `${option.padEnd(20)}${does}`).join('\n'),
    );
    return Promise.resolve();
  },
});
