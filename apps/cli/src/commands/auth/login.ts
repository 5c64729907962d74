/** `drover auth login`: stores a token for a coordinator, after the coordinator has accepted it. */
import { refuseClearText } from '../../client/clear-text.ts';
import { askAt, expectedAt } from '../../client/client.ts';
import { loginUrl, storeToken } from '../../client/logins.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readStdin } from '../../terminal/texts.ts';

export const command = defineCommand({
  about: 'keep a token for a coordinator, for commands with DROVER_URL',
  example: 'drover auth login https://drover.example.com < token\ndrover auth login https://drover.example.com',
  args: { url: required('the address of the coordinator') },
  options: { force: flag('send the token in clear text, without TLS') },
  async run(surroundings, { args, options: { force } }) {
    const { environment } = surroundings;
    const url = loginUrl(args.url);
    refuseClearText(url, { isForced: force || environment.insecure, force: 'repeat with --force' });
    const token = await readToken(surroundings);
    const expected = await expectedAt(environment, url);
    const { version } = await askAt(surroundings, { url, token, expected }, (client) => client.info.query());
    await storeToken(environment, url, token);
    answer(
      surroundings,
      { url, version },
      () => `Logged in at ${url}. Commands use this token when DROVER_URL is ${url} and DROVER_TOKEN is not set.`,
    );
  },
});

/** Reads the token from a pipe, or typed without being shown, but never from an argument, which every user of the machine can read. */
async function readToken({ terminal }: Surroundings): Promise<string> {
  const typed = process.stdin.isTTY ? await terminal.secret('Token: ') : await readStdin();
  const token = typed.trim();
  if (/^[A-Za-z0-9_-]{20,200}$/.test(token)) return token;
  const what = token === '' ? 'The token is missing' : 'The input is not a token';
  throw new CommandError(
    'usage',
    `${what}: give exactly the token that "drover auth token create" printed on standard input`,
  );
}
