/** `drover profile`: lists agent profiles. */
import type { ProfileView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import type { Page } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { table } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'show the agent profiles of the fleet',
  example: 'drover profile\ndrover profile show claude > claude.json',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.profiles.list.query()), profilesText);
  },
});

function profilesText(profiles: readonly ProfileView[], { terminal }: Page): string {
  const rows = profiles.map(({ name, origin, revision }) => [
    name,
    origin === 'build' ? 'built in' : `of this fleet, revision ${revision}`,
  ]);
  return table(rows, terminal.columns);
}
