/** `drover export`: the whole database into one file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { offline } from '../compose/database.ts';
import { readSettings } from '../compose/settings.ts';
import { CommandError } from '../exit-codes.ts';
import { sizeText } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [name = '']: readonly string[]): Promise<void> {
  const { terminal, cwd } = surroundings;
  const settings = await readSettings(surroundings, {});
  const database = offline(surroundings, settings);
  if (!(await database.exists()))
    throw new CommandError('not-found', `${settings.paths.root} has no database yet: "drover up" makes one`);
  const file = path.resolve(cwd, name);
  await writable(file);
  await database.exportTo(file);
  const { size } = await stat(file);
  terminal.out(terminal.json ? JSON.stringify({ file, bytes: size }) : `Exported to ${file} (${sizeText(size)}).`);
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
