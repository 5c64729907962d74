/** Refuses addresses to which no token may go: over plain http, everybody on the way can read it. */
import { isLoopback } from '@drover/protocol/loopback';
import { CommandError } from '../exit-codes.ts';

/**
 * Refuses plain http to other computers, for commands and for the machine agent: no other code decides this.
 *
 * @param urls An address, or several separated by commas.
 * @throws {CommandError} for plain http to anything but this computer.
 */
export function refuseClearText(urls: string, { isForced, force }: { isForced: boolean; force: string }): void {
  if (isForced) return;
  const open = urls.split(',').find((url) => isClearText(url.trim()));
  if (open === undefined) return;
  const message = `${open.trim()} would receive tokens in clear text: use https, or a tunnel that starts on this computer. To send them anyway, ${force}`;
  throw new CommandError('usage', message);
}

function isClearText(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}
