/** `drover project show`: prints one project, and its place on each machine. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { projectText } from './text.ts';

export const command = defineCommand({
  about: 'show a project: its source, workers and checkouts, and their problems',
  example: 'drover project show shop',
  args: { name: required('its name, as "drover project" shows it') },
  async run(surroundings, { args }) {
    const project = await ask(surroundings, (client) => client.projects.show.query(args));
    const { lagHere } = await import('../../compose/lag.ts');
    const lag = await lagHere(surroundings, project);
    answer(surroundings, { ...project, lag }, projectText);
  },
});
