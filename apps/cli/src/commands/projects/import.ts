/** `drover import`: a file of `drover export` becomes the database. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { offline } from '../../compose/database.ts';
import { readSettings } from '../../compose/settings.ts';
import { confirm } from '../../terminal/confirm.ts';
import { CommandError } from '../../exit-codes.ts';
import { flag } from '../../program/options.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const [replace, yes] = [flag(options, 'replace'), flag(options, 'yes')];
  const withTokens = flag(options, 'withTokens');
  if (yes && !replace) throw new CommandError('usage', '--yes answers the question of --replace: give both, or none');
  const settings = await readSettings(surroundings, {});
  const database = offline(surroundings, settings);
  const file = path.resolve(cwd, name);
  const facts = await stat(file).catch(() => null);
  if (facts === null) throw new CommandError('not-found', `There is no file ${file} to import`);
  if (replace)
    await confirm(`Everything in the database of ${settings.paths.root} gives way to ${file}.`, { yes, terminal });
  const imported = await database.importFrom(file, { replace, withTokens }).catch((error: unknown) => {
    throw refusalOf(error, file);
  });
  const { rows, replaced, tokensLeftOut, machines, backup } = imported;
  if (terminal.json) {
    terminal.out(JSON.stringify({ file, ...imported }));
    return;
  }
  terminal.out(`Imported ${rows} rows from ${file}${replaced > 0 ? `, in the place of ${replaced}` : ''}.`);
  if (tokensLeftOut > 0)
    terminal.out(`${tokensLeftOut} tokens of the file were left out: make new ones, or import with --with-tokens.`);
  if (machines.length > 0) terminal.out(`These machines may connect with their keys: ${machines.join(', ')}.`);
  if (backup !== null) terminal.out(`What was there before is in the backup ${backup}.`);
}

/** A bad file is bad input, and named; any other refusal is about the database as it is. */
function refusalOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.name !== 'TransferError' || !('code' in error)) return error;
  if (error.code === 'bad-file' || error.code === 'too-large')
    return new CommandError('usage', `${file}, ${error.message}`, { cause: error });
  return new CommandError('refused', error.message, { cause: error });
}
