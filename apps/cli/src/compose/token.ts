/** Checks, when a coordinator starts, that people can use the token that it was given. */
import { CommandError } from '../exit-codes.ts';

/** A token has at least 32 characters, because a shorter one can be guessed; at most as many as a header may hold. */
const TOKEN = /^[A-Za-z0-9_-]{32,200}$/u;

/** @param name Name of its variable. @throws {CommandError} with advice for making a good one. The token itself is not shown. */
export function checkToken(token: string, name: 'DROVER_TOKEN' | 'DROVER_TICK_SECRET' = 'DROVER_TOKEN'): void {
  if (TOKEN.test(token)) return;
  const wrong = /^[A-Za-z0-9_-]*$/u.test(token) ? `has ${token.length} characters` : 'holds other characters';
  const message = `${name} ${wrong}: a coordinator takes 32 to 200 characters of A-Z, a-z, 0-9, _ and -. To make one: export ${name}=$(openssl rand -hex 32)`;
  throw new CommandError('usage', message);
}
