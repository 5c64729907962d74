/** `drover project`: lists the projects of the fleet. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { projectsText } from './text.ts';

/** `drover project` and `drover project list`. */
export const command = defineCommand({
  about: 'show the projects of the fleet',
  example: 'drover project\ndrover project show shop\ndrover project add shop --source git@example.com:team/shop.git',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.projects.list.query()), projectsText);
  },
});
