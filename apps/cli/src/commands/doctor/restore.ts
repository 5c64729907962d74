/** `drover doctor --repair --restore DATE` replaces the database by a backup, `--new-database` by an empty one. */
import { loadConfig } from '@drover/config';
import { confirm } from '../../terminal/confirm.ts';
import { CommandError } from '../../exit-codes.ts';
import { ago, sizeText } from '../../terminal/style.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';
import { offline } from '../../compose/database.ts';
import type { Offline } from '../../compose/database.ts';

/** Shows the plan, and runs it. @throws {CommandError | EmbeddedPostgresError} with advice. */
export async function restore(
  surroundings: Surroundings,
  { date, dryRun, yes }: { date: string; dryRun: boolean; yes: boolean },
): Promise<void> {
  const { terminal, now } = surroundings;
  const { dataDir, backups, restore: run } = await embedded(surroundings, 'restore the backup there');
  const found = (await backups()).find(({ name }) => name.startsWith(date.replaceAll(':', '-')));
  if (found === undefined) throw await noSuchBackup(date, backups);
  const lost = `everything since ${found.name} (${ago(now() - found.takenAt)})`;
  if (dryRun) {
    terminal.out(`Would restore the backup ${found.name} and set the present database aside. Lost: ${lost}.`);
    return;
  }
  await confirm(`Drover restores the backup ${found.name} and sets the present database aside. Lost: ${lost}.`, {
    yes,
    terminal,
  });
  const done = await run(dataDir, found.name);
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
  if (aside !== null) terminal.out(`The previous database is in ${aside}.`);
  terminal.out(`Lost from the database: ${lost}. Worktrees, branches and sessions are as they are.`);
  terminal.out('Next: "drover up", then "drover doctor", which lists what does not match.');
}

/** Moves the database aside, so that "drover up" begins with an empty one. @throws {CommandError | EmbeddedPostgresError} with advice. */
export async function beginAnew(
  surroundings: Surroundings,
  { dryRun, yes }: { dryRun: boolean; yes: boolean },
): Promise<void> {
  const { terminal } = surroundings;
  const { dataDir, exists, backups, setAside } = await embedded(surroundings, 'make an empty database there');
  if (!(await exists())) throw new CommandError('not-found', 'There is no database yet: "drover up" makes one');
  const [newest] = await backups();
  const better = newest === undefined ? '' : ` A backup loses less: "drover doctor --repair --restore ${newest.name}".`;
  const plan =
    'Drover sets the database aside, and the next "drover up" starts with an empty one. ' +
    `Lost: tasks, history, questions, the list of checkpoints, people and tokens. Worktrees, branches and sessions stay.${better}`;
  if (dryRun) {
    terminal.out(`Would do this: ${plan}`);
    return;
  }
  await confirm(plan, { yes, terminal });
  const aside = await setAside(dataDir);
  if (terminal.json) {
    terminal.out(JSON.stringify({ aside }));
    return;
  }
  if (aside !== null) terminal.out(`The previous database is in ${aside}.`);
  terminal.out('Next: "drover up", then "drover doctor --rebuild", which brings the workers back with their work.');
}

/** Finds the database of this root, which must be an embedded one. `otherwise`: what the owner of another server can do. */
async function embedded(
  surroundings: Surroundings,
  otherwise: string,
): Promise<Offline & { readonly dataDir: string }> {
  const paths = needRoot(surroundings);
  const outcome = await loadConfig({ root: paths.root, environment: surroundings.environment });
  if (outcome.kind === 'invalid') throw new CommandError('usage', 'drover.toml is wrong: run "drover project check"');
  const found = offline(surroundings, { config: outcome.config, paths });
  if (found.database.kind === 'url')
    throw new CommandError('usage', `DATABASE_URL names a server of your own: ${otherwise}`);
  return { ...found, dataDir: found.database.dataDir };
}

async function noSuchBackup(
  date: string,
  backups: () => Promise<readonly { readonly name: string }[]>,
): Promise<CommandError> {
  const names = (await backups()).map(({ name }) => name);
  const known =
    names.length === 0
      ? 'there are none; "drover doctor --repair --new-database" starts with an empty database'
      : `there are: ${names.join(', ')}`;
  return new CommandError('not-found', `There is no backup of ${date}; ${known}`);
}
