/** `drover worker show`: prints the settings of a worker, and their sources. */
import { ask } from '../../../client/client.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';
import { settingsText } from './settings-text.ts';

export const command = defineCommand({
  about: 'show the settings of a worker, their sources, and when a change takes effect',
  example: 'drover worker show adam',
  args: { name: required('its name, as "drover status" shows it') },
  options: {},
  async run(surroundings, { args: { name } }) {
    const shown = await ask(surroundings, (client) => client.workers.settings.query({ name }));
    answer(surroundings, shown, settingsText);
  },
});
