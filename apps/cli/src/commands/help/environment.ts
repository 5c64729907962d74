/** `drover help environment`: prints the variables that Drover reads. */
import { ENVIRONMENT_ONLY } from '@drover/config';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { HELP_COLUMNS } from '../../program/overview.ts';
import { wrap } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'list the environment variables that Drover reads',
  example: 'drover help environment',
  more: 'Each option of drover.toml has a variable too: docs/configuration.md.',
  run(surroundings) {
    answer(surroundings, ENVIRONMENT_ONLY, (variables) =>
      variables.map(({ name, description }) => `${name}\n${wrap(description, HELP_COLUMNS, '    ')}`).join('\n'),
    );
    return Promise.resolve();
  },
});
