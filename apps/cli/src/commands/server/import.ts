/** `drover server import`: replaces the database by a file of `drover server export`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import { confirm } from '../../terminal/confirm.ts';

export const command = defineCommand({
  about: 'import a file of "drover server export" into the database, completely or not at all',
  example:
    'drover server import drover.jsonl.gz\nDATABASE_URL=postgres://me@db/drover drover server import drover.jsonl.gz\ndrover server import drover.jsonl.gz --replace',
  args: { file: required('the file') },
  options: {
    withTokens: flag('import the tokens of people, workers and joining machines, too: only from a file that you trust'),
    replace: flag('also if the database is not empty: replace all of it, after confirmation'),
    yes: flag('do not ask for confirmation'),
  },
  async run(surroundings, { args, options: { withTokens, replace, yes } }) {
    const { offline } = await import('../../compose/database.ts');
    const { readSettings } = await import('../../compose/settings.ts');
    const { terminal, cwd } = surroundings;
    if (yes && !replace) throw new CommandError('usage', '--yes confirms --replace: give both, or neither');
    const settings = await readSettings(surroundings, {});
    const database = offline(surroundings, settings);
    const file = path.resolve(cwd, args.file);
    const facts = await stat(file).catch(() => null);
    if (facts === null) throw new CommandError('not-found', `There is no file ${file} to import`);
    if (replace)
      await confirm(`${file} replaces everything in the database of ${settings.paths.root}.`, { yes, terminal });
    const imported = await database.importFrom(file, { replace, withTokens }).catch((error: unknown) => {
      throw refusalOf(error, file);
    });
    const { rows, replaced, tokensLeftOut, machines, backup } = imported;
    if (terminal.json) {
      terminal.out(JSON.stringify({ file, ...imported }));
      return;
    }
    terminal.out(`Imported ${rows} rows from ${file}${replaced > 0 ? `, in place of ${replaced}` : ''}.`);
    if (tokensLeftOut > 0)
      terminal.out(
        `${tokensLeftOut} tokens of the file were not imported: make new ones, or import with --with-tokens.`,
      );
    if (machines.length > 0) terminal.out(`These machines may connect with their keys: ${machines.join(', ')}.`);
    if (backup !== null) terminal.out(`The previous content is in the backup ${backup}.`);
  },
});

/** Turns a failure into a refusal: a bad file is bad input, and named; any other refusal is about the present database. */
function refusalOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.name !== 'TransferError' || !('code' in error)) return error;
  if (error.code === 'bad-file' || error.code === 'too-large')
    return new CommandError('usage', `${file}, ${error.message}`, { cause: error });
  return new CommandError('refused', error.message, { cause: error });
}
