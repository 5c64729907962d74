/** `drover screen test`: judges every recorded capture below a directory, and names those that are judged wrong. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { judge } from '@drover/screen';
import type { Judgement } from '@drover/screen';
import { CommandError, EXIT_CODES } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

interface Judged extends Judgement {
  readonly name: string;
}

/** Runs the command; the exit status is 1 if any capture is judged wrong. @throws {CommandError} for what is no capture. */
export async function run({ terminal, cwd }: Surroundings, [directory = '']: readonly string[]): Promise<void> {
  const root = path.resolve(cwd, directory);
  const judged = await judgeAll(root);
  const wrong = judged.filter(({ right }) => !right);
  const count = judged.length - wrong.length;
  if (terminal.json) terminal.out(JSON.stringify({ right: count, wrong: wrong.length, misjudged: wrong }));
  else {
    for (const { name, expected, got, rule } of wrong)
      terminal.out(`${name}: ${got}, not ${expected} (by the rule ${rule})`);
    terminal.out(`${count} right, ${wrong.length} wrong`);
  }
  if (wrong.length > 0) process.exitCode = EXIT_CODES.refused.status;
}

async function judgeAll(root: string): Promise<readonly Judged[]> {
  const entries = await readdir(root, { recursive: true }).catch((error: unknown) => {
    throw new CommandError(
      'not-found',
      `Cannot read ${root}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const names = entries.filter((entry) => entry.endsWith('.ansi')).map((entry) => entry.slice(0, -'.ansi'.length));
  if (names.length === 0)
    throw new CommandError('not-found', `There are no captures (NAME.ansi with NAME.json) below ${root}`);
  const judged: Judged[] = [];
  for (const name of names.toSorted()) judged.push({ name, ...(await judgeOne(path.join(root, name))) });
  return judged;
}

async function judgeOne(base: string): Promise<Judgement> {
  try {
    const [ansi, json] = await Promise.all([readFile(`${base}.ansi`, 'utf8'), readFile(`${base}.json`, 'utf8')]);
    return judge(JSON.parse(json), ansi);
  } catch (error) {
    throw new CommandError('usage', `${base} is no capture: ${error instanceof Error ? error.message : String(error)}`);
  }
}
