/** Parses a person's input about a host: its address, and the fingerprint of its key. */
import { CommandError } from '../../exit-codes.ts';
import { plain } from '../../terminal/style.ts';

const FINGERPRINTS = /SHA256:[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/])/gu;

/** Returns the host of `user@host`. @throws {CommandError} `usage` if none is named. */
export function hostOf(destination: string): string {
  const host = destination.slice(destination.lastIndexOf('@') + 1);
  if (host.trim() !== '') return host;
  throw new CommandError(
    'usage',
    `"${plain(destination)}" is not a host; expected user@host, a host, or a name of the ssh configuration where the gateway runs`,
  );
}

/** Finds the fingerprint in a line of `ssh-keygen -lf`, which people copy whole; anything else stays unchanged, for the coordinator to refuse. */
export function fingerprintIn(typed: string): string {
  const [only, ...more] = typed.match(FINGERPRINTS) ?? [];
  return only === undefined || more.length > 0 ? typed : only;
}
