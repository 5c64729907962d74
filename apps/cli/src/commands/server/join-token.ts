/** Reads the join token of `drover server agent`: best not from its arguments, which every user of the machine can read. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { CommandError } from '../../exit-codes.ts';
import { readStdin } from '../../hook/stdin-adapter.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Maximum characters of a token: a token is far shorter, and a longer file is another one. */
const TOKEN_CHARACTERS_MAX = 1_000;

/** @returns undefined if none was given. @throws {CommandError} for a source that holds no token. */
export async function readJoinToken(
  { cwd, terminal }: Pick<Surroundings, 'cwd' | 'terminal'>,
  { join: argument, joinFile: name }: { readonly join: string | undefined; readonly joinFile: string | undefined },
): Promise<string | undefined> {
  if (argument !== undefined && name !== undefined)
    throw new CommandError('usage', '--join and --join-file both give a token: use one of them');
  if (name !== undefined) return tokenIn(await readTokenFile(path.resolve(cwd, name)), path.resolve(cwd, name));
  if (argument === '-') return tokenIn(await readStdin(), 'standard input');
  if (argument !== undefined)
    terminal.err(
      'warning: every user of this machine can read program arguments: give the token with --join-file FILE or --join -',
    );
  return argument;
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = messageOf(cause);
    throw new CommandError('not-found', `Cannot read the join token: ${why}`, { cause });
  }
}

function tokenIn(content: string, where: string): string {
  const token = content.trim();
  if (/^\S+$/u.test(token) && token.length <= TOKEN_CHARACTERS_MAX) return token;
  const found = token === '' ? 'it is empty' : 'it holds more than one word';
  throw new CommandError('usage', `Expected only a token of "drover machine invite" in ${where}: ${found}`);
}
