/** Reads the text of a prompt or a feedback from an option, a file or stdin. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { CommandError } from '../exit-codes.ts';

/** Largest text that is read, in bytes. The coordinator refuses more, with the same number. */
const TEXT_BYTES_MAX = 1_048_576;

/** Sources of one text. */
export interface TextSource {
  readonly text: string | undefined;
  readonly file: string | undefined;
  readonly cwd: string;
  /** Name of the text in messages: `prompt`, `feedback`. */
  readonly what: string;
  /** Option that gives the text in place: `--prompt TEXT`. */
  readonly given: string;
  /** The option that names a file: `--prompt-file`. */
  readonly option: string;
}

/** @throws {CommandError} if there is no text, if there are two, or if it is invalid. */
export async function readText({ text, file, cwd, what, given, option }: TextSource): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw new CommandError('usage', `Give the ${what} either by ${given} or by ${option}, not both`);
  if (text !== undefined) return checked(text, what);
  if (file === undefined)
    throw new CommandError(
      'usage',
      `The ${what} is missing: give it by ${given} or with ${option} FILE ("-" reads stdin)`,
    );
  if (file === '-') return checked(await readStdin(), what);
  return checked(await readTextFile(path.resolve(cwd, file), what), what);
}

async function readTextFile(file: string, what: string): Promise<string> {
  const facts = await stat(file).catch(() => null);
  if (facts === null) throw new CommandError('not-found', `There is no file ${file} to read the ${what} from`);
  if (!facts.isFile()) throw new CommandError('usage', `${file} is not a file to read the ${what} from`);
  if (facts.size > TEXT_BYTES_MAX) throw new CommandError('usage', tooLarge(what, facts.size));
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new CommandError('usage', `Cannot read ${file}: ${messageOf(error)}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError('usage', `${file} is not text in UTF-8, so it cannot be a ${what}`);
  }
}

function checked(text: string, what: string): string {
  if (text.trim() === '') throw new CommandError('usage', `The ${what} is empty: write what the agent must do`);
  if (text.includes('\0'))
    throw new CommandError('usage', `The ${what} holds a zero byte, so it is not text: give a text in UTF-8`);
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_BYTES_MAX) throw new CommandError('usage', tooLarge(what, bytes));
  return text;
}

function tooLarge(what: string, bytes: number): string {
  return `The ${what} has ${bytes} bytes, and at most ${TEXT_BYTES_MAX} are allowed: put the details into a file of the repository and name that file`;
}

/** Reads standard input to its end. @throws {CommandError} */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
