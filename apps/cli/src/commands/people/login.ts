/** `drover login`: stores a token for a coordinator, after the coordinator has taken it. */
import { refuseClearText } from '../../client/clear-text.ts';
import { askAt } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { loginUrl, storeToken } from '../../client/logins.ts';
import { flag } from '../../program/options.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readStdin } from '../../terminal/texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [given = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, environment } = surroundings;
  const url = loginUrl(given);
  const isForced = flag(options, 'force') || environment.insecure;
  refuseClearText(url, { isForced, force: 'repeat with --force' });
  const token = await readToken(surroundings);
  const info = await askAt(surroundings, { url, token }, (client) => client.info.query());
  await storeToken(environment, url, token);
  if (terminal.json) terminal.out(JSON.stringify({ url, version: info.version }));
  else
    terminal.out(`Logged in at ${url}. Commands use this token when DROVER_URL is ${url} and DROVER_TOKEN is not set.`);
}

/** From a pipe, or typed without being shown. Never from an argument, which every user of the machine can read. */
async function readToken({ terminal }: Surroundings): Promise<string> {
  const typed = process.stdin.isTTY ? await terminal.secret('Token: ') : await readStdin();
  const token = typed.trim();
  if (/^[A-Za-z0-9_-]{20,200}$/.test(token)) return token;
  const what = token === '' ? 'There is no token' : 'That is no token';
  throw new CommandError('usage', `${what}: give one of "drover tokens create" on standard input, whole and alone`);
}
