/** `drover project`: lists the projects of the fleet. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { PROJECTS } from './text.ts';

/** `drover project` and `drover project list`. */
export const command = defineCommand({
  about: 'show the projects of the fleet',
  example: 'drover project\ndrover project show shop\ndrover project add shop --source git@example.com:team/shop.git',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.projects.list.query()), PROJECTS);
  },
});
