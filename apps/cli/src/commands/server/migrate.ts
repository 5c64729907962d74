/** `drover server migrate`: migrates a Postgres server of one's own to this build and this root. */
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'migrate your own Postgres server to this build and apply drover.toml; safe to repeat',
  example: 'DATABASE_URL=postgres://me@db/drover drover server migrate --admin ada',
  options: {
    admin: text('name', 'also make an admin token of this name, and print it'),
  },
  async run(surroundings, { options: { admin } }) {
    const { migrateOwn } = await import('../../compose/coordinator.ts');
    const { createLog } = await import('../../compose/log.ts');
    const { readOwnSettings } = await import('../../compose/settings.ts');
    const settings = await readOwnSettings(surroundings, {});
    const made = await migrateOwn(surroundings, settings, {
      admin: admin ?? null,
      log: createLog(surroundings, 'warn'),
    });
    const { token } = made;
    answer(surroundings, made, ({ applied, project }) =>
      [
        applied.length === 0 ? 'The database has every migration of this build.' : `Applied ${applied.join(', ')}.`,
        project === null
          ? 'There is no drover.toml here: add projects with "drover project apply".'
          : `The project "${project}" has the settings of drover.toml.`,
        ...(token?.kind === 'made' ? [`The token of ${admin}, shown only now: ${token.secret}`] : []),
      ].join('\n'),
    );
    if (token?.kind === 'name-taken')
      throw new CommandError('refused', `There is a token "${admin}" already: choose another name`);
  },
});
