/** `drover export`: the whole database into one file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { offline } from '../../compose/database.ts';
import { openRedaction } from '../../compose/redaction.ts';
import { readSettings } from '../../compose/settings.ts';
import { CommandError } from '../../exit-codes.ts';
import { flag } from '../../program/options.ts';
import { sizeText } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const settings = await readSettings(surroundings, {});
  const database = offline(surroundings, settings);
  if (!(await database.exists()))
    throw new CommandError('not-found', `${settings.paths.root} has no database yet: "drover up" makes one`);
  const file = path.resolve(cwd, name);
  await writable(file);
  const isRedacted = flag(options, 'redacted');
  if (isRedacted) {
    using redaction = await openRedaction(surroundings, settings, 'warn');
    await database.exportTo(file, (text) => redaction.redactor.text(text));
  } else await database.exportTo(file);
  const { size } = await stat(file);
  if (terminal.json) {
    terminal.out(JSON.stringify({ file, bytes: size, redacted: isRedacted }));
    return;
  }
  terminal.out(`Exported to ${file} (${sizeText(size)}), readable by you alone.`);
  terminal.out(
    isRedacted
      ? 'Secrets that Drover knows are taken out of it, and tokens and the key of the fleet. It is for reading: no import takes it.'
      : 'It holds prompts as they were written, the key of the fleet, and tokens by their SHA-256: keep it as safe as the database. For others to read, export with --redacted.',
  );
}

/** Whatever would stop the export at its end is told at once. */
async function writable(file: string): Promise<void> {
  const facts = await stat(path.dirname(file)).catch(() => null);
  if (facts === null || !facts.isDirectory())
    throw new CommandError('not-found', `There is no directory ${path.dirname(file)} to write the file into`);
  const there = await stat(file).catch(() => null);
  if (there !== null && !there.isFile())
    throw new CommandError('usage', `${file} is not a file: name one to export into`);
}
