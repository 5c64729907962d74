/** `drover profile`: lists agent profiles. */
import type { ProfileView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { plain } from '../../terminal/style.ts';

const PROFILES: Listing<ProfileView> = {
  empty: 'There are no profiles.',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    {
      name: 'ORIGIN',
      of: ({ origin, revision }) => (origin === 'build' ? 'built in' : `this fleet, revision ${revision}`),
    },
    { name: 'STAGED', of: ({ staged }) => (staged === null ? '' : `for the label ${plain(staged.label)}`) },
  ],
};

export const command = defineCommand({
  about: 'show the agent profiles of the fleet',
  example: 'drover profile\ndrover profile show claude > claude.json',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.profiles.list.query()), PROFILES);
  },
});
