/** `drover screen record`: keeps a worker's screen with the label that it should have had, as a test case for the detector. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CAPTURE_LABELS } from '@drover/screen';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { text } from '../../program/options.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} when the label is none, or the files cannot be written. */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd, now } = surroundings;
  const label = text(options, 'label') ?? '';
  if (!CAPTURE_LABELS.some((known) => known === label)) {
    throw new CommandError('usage', `"${label}" is no label; there are: ${CAPTURE_LABELS.join(', ')}`);
  }
  const sight = await ask(surroundings, (client) => client.workers.screen.query({ name }));
  const { profile: program, facts, ansi } = sight;
  const directory = path.resolve(cwd, text(options, 'dir') ?? 'screens');
  const base = path.join(directory, `${label}-${name}-${now()}`);
  const file = {
    program,
    version: text(options, 'version') ?? '',
    state: label,
    label,
    note: text(options, 'note') ?? '',
    ...facts,
  };
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(`${base}.ansi`, ansi, { flag: 'wx' });
    await writeFile(`${base}.json`, `${JSON.stringify(file, null, 1)}\n`, { flag: 'wx' });
  } catch (error) {
    throw new CommandError(
      'environment',
      `Cannot write ${base}.ansi and .json: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  terminal.out(
    terminal.json
      ? JSON.stringify({ ansi: `${base}.ansi`, json: `${base}.json`, judged: sight.label })
      : `Kept ${base}.ansi and .json (judged "${sight.label}").`,
  );
  terminal.err('It holds what the screen showed: look through it for secrets before you share it.');
}
