/** `drover doctor --repair --restore DATE`: replaces the database by a backup. */
import { loadConfig } from '@drover/config';
import { confirm } from '../../terminal/confirm.ts';
import { CommandError } from '../../exit-codes.ts';
import { ago, sizeText } from '../../terminal/style.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';
import { offline } from '../../compose/database.ts';

/** Shows the plan, and runs it. @throws {CommandError | EmbeddedPostgresError} with advice. */
export async function restore(
  surroundings: Surroundings,
  { date, dryRun, yes }: { date: string; dryRun: boolean; yes: boolean },
): Promise<void> {
  const { terminal, now, environment } = surroundings;
  const paths = needRoot(surroundings);
  const outcome = await loadConfig({ root: paths.root, environment });
  if (outcome.kind === 'invalid') throw new CommandError('usage', 'drover.toml is wrong: run "drover project check"');
  const { database, backups, restore: run } = offline(surroundings, { config: outcome.config, paths });
  if (database.kind === 'url')
    throw new CommandError('usage', 'DATABASE_URL names a server of your own: restore the backup there');
  const found = (await backups()).find(({ name }) => name.startsWith(date.replaceAll(':', '-')));
  if (found === undefined) throw await noSuchBackup(date, backups);
  const lost = `everything since ${found.name} (${ago(now() - found.takenAt)})`;
  if (dryRun) {
    terminal.out(
      `Would put the backup ${found.name} in the place of the database, which is kept aside. Lost: ${lost}.`,
    );
    return;
  }
  await confirm(`The backup ${found.name} takes the place of the database, which is kept aside. Lost: ${lost}.`, {
    yes,
    terminal,
  });
  const done = await run(database.dataDir, found.name);
  if (done.kind === 'no-such-backup') throw await noSuchBackup(date, backups);
  if (done.kind === 'no-room')
    throw new CommandError(
      'environment',
      `Not enough disk space: ${sizeText(done.needBytes)} are needed and ${sizeText(done.freeBytes)} are free`,
    );
  const { aside, backup, content } = done;
  if (terminal.json) {
    terminal.out(JSON.stringify({ restored: backup.name, takenAt: backup.takenAt, aside, content }));
    return;
  }
  terminal.out(`Restored the backup ${backup.name}: ${content.workers} worker(s), ${content.tasks} task(s).`);
  if (aside !== null) terminal.out(`The former database is kept in ${aside}.`);
  terminal.out(`Lost from the database: ${lost}. Worktrees, branches and sessions are as they are.`);
  terminal.out('Next: "drover up", then "drover doctor", which lists what does not agree.');
}

async function noSuchBackup(
  date: string,
  backups: () => Promise<readonly { readonly name: string }[]>,
): Promise<CommandError> {
  const names = (await backups()).map(({ name }) => name);
  const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  return new CommandError('not-found', `There is no backup of ${date}; ${known}`);
}
