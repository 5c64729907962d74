/** `drover screen test`: judges every recorded capture below a directory, and names those that are judged wrong. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CaptureFileError, judge } from '@drover/screen';
import type { Judgement } from '@drover/screen';
import { CommandError, EXIT_CODES } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';

interface Judged extends Judgement {
  readonly name: string;
}

/** A file that keeps a capture from being judged, and what is wrong with it. */
interface Broken {
  readonly file: string;
  readonly why: string;
}

/**
 * Runs the command; the exit status is 1 if any capture is judged wrong.
 *
 * @throws {CommandError} at the end, after what could be judged, naming each file that is broken.
 */
export async function run({ terminal, cwd }: Surroundings, [directory = '']: readonly string[]): Promise<void> {
  const root = path.resolve(cwd, directory);
  const judged: Judged[] = [];
  const broken: Broken[] = [];
  for (const name of await namesBelow(root)) {
    const outcome = await judgeOne(root, name);
    if ('why' in outcome) broken.push(outcome);
    else judged.push(outcome);
  }
  const wrong = judged.filter(({ right }) => !right);
  const count = judged.length - wrong.length;
  if (terminal.json) terminal.out(JSON.stringify({ right: count, wrong: wrong.length, misjudged: wrong, broken }));
  else {
    for (const { name, expected, got, rule } of wrong)
      terminal.out(`${name}: ${got}, not ${expected} (by the rule ${rule})`);
    terminal.out(`${count} right, ${wrong.length} wrong`);
  }
  if (broken.length > 0) throw new CommandError('usage', sayBroken(broken));
  if (wrong.length > 0) process.exitCode = EXIT_CODES.refused.status;
}

function sayBroken(broken: readonly Broken[]): string {
  const lines = broken.map(({ file, why }) => `${file}: ${why}`);
  return broken.length === 1 ? (lines[0] ?? '') : [`${broken.length} captures cannot be judged:`, ...lines].join('\n');
}

async function namesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true }).catch((error: unknown) => {
    throw new CommandError('not-found', `Cannot read ${root}: ${wordsOf(error)}`);
  });
  const names = entries.filter((entry) => entry.endsWith('.ansi')).map((entry) => entry.slice(0, -'.ansi'.length));
  if (names.length === 0)
    throw new CommandError('not-found', `There are no captures (NAME.ansi with NAME.json) below ${root}`);
  return names.toSorted();
}

async function judgeOne(root: string, name: string): Promise<Judged | Broken> {
  const [ansiFile, jsonFile] = [path.join(root, `${name}.ansi`), path.join(root, `${name}.json`)];
  const ansi = await readText(ansiFile);
  if (typeof ansi !== 'string') return ansi;
  const json = await readText(jsonFile);
  if (typeof json !== 'string') return json;
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    return { file: jsonFile, why: `it is not JSON: ${wordsOf(error)}` };
  }
  try {
    return { name, ...judge(document, ansi) };
  } catch (error) {
    if (error instanceof CaptureFileError) return { file: jsonFile, why: error.message };
    throw error;
  }
}

async function readText(file: string): Promise<string | Broken> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => ({
    file,
    why:
      error.code === 'ENOENT'
        ? 'it is missing: each NAME.ansi needs a NAME.json with its "program" and "label"'
        : `it cannot be read: ${wordsOf(error)}`,
  }));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
