/** Checks that the key that a host shows is the one that was trusted before. */
import { createHash } from 'node:crypto';

import type { ProgramRunner } from '../../host.ts';
import { ConnectError } from './errors.ts';
import type { Resolved } from './destination.ts';

/** Milliseconds to look into one file. */
const SEARCH_MS = 10_000;

/** A public key as in a `known_hosts` file: its kind, and its bytes in Base64. */
export type HostKey = `${string} ${string}`;

/** Known keys of a host. */
export interface KnownKeys {
  /** Keys from the machine's own row: they count alone when there are any. */
  readonly pinned: readonly HostKey[];
  /** Keys from the user's files. */
  readonly known: readonly HostKey[];
  readonly revoked: readonly HostKey[];
  /** Tells whether an authority signs keys of this host: the library ssh2 cannot check that. */
  readonly hasAuthority: boolean;
}

/** Trust in a key, by its known keys. */
export type Trust = 'trusted' | 'unknown' | 'changed' | 'revoked';

/** The fingerprint that people compare, as ssh prints it. */
export function fingerprintOf(key: HostKey | Buffer): string {
  const bytes = Buffer.isBuffer(key) ? key : Buffer.from(key.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256')
    .update(bytes)
    .digest('base64')
    .replace(/(?<!=)=+$/u, '')}`;
}

/** The key in the form of a file, from that of the wire, which begins with its kind. */
export function asHostKey(wire: Buffer): HostKey {
  const kind = wire.toString('latin1', 4, 4 + wire.readUInt32BE(0));
  return `${kind} ${wire.toString('base64')}`;
}

/** A host may have keys of several kinds: one that is not known is only "changed" where others are. */
export function judge(key: HostKey, { pinned, known, revoked }: KnownKeys): Trust {
  if (revoked.includes(key)) return 'revoked';
  const trusted = pinned.length > 0 ? pinned : known;
  if (trusted.includes(key)) return 'trusted';
  return trusted.length > 0 ? 'changed' : 'unknown';
}

/** Looks into the user's files with `ssh-keygen`, which also reads hashed names. */
export async function lookUpKeys(
  local: Pick<ProgramRunner, 'run'>,
  { knownHostsFiles, knownName }: Pick<Resolved, 'knownHostsFiles' | 'knownName'>,
  pinned: readonly HostKey[],
): Promise<KnownKeys> {
  const texts: string[] = [];
  for (const file of knownHostsFiles) {
    // A file that is not there, or has nothing, is a status and no error.
    const found = await local.run('ssh-keygen', ['-F', knownName, '-f', file], { timeoutMs: SEARCH_MS });
    texts.push(found.stdout);
  }
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.map((line) => {
    const words = line.split(' ');
    const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
    const key: HostKey = `${words[1] ?? ''} ${words[2] ?? ''}`;
    return { marker, key };
  });
  const marked = (wanted: string | undefined): HostKey[] =>
    keys.flatMap(({ marker, key }) => (marker === wanted ? [key] : []));
  return {
    pinned,
    known: marked(undefined),
    revoked: marked('@revoked'),
    hasAuthority: marked('@cert-authority').length > 0,
  };
}

/** The reason why a connection with this key is not made. */
export function refusal(host: string, key: HostKey, trust: Exclude<Trust, 'trusted'>): ConnectError {
  const fingerprint = fingerprintOf(key);
  switch (trust) {
    case 'unknown': {
      const message = `The key of "${host}" is not known. Compare its fingerprint ${fingerprint} with the machine's own, then confirm it`;
      return new ConnectError('host-key-unknown', message, { fingerprint });
    }
    case 'changed': {
      const message = `"${host}" shows a different key than before: ${fingerprint}. Either it was reinstalled, or another machine impersonates it`;
      return new ConnectError('host-key-changed', message, { fingerprint });
    }
    case 'revoked':
      return new ConnectError('host-key-changed', `The key of "${host}" is revoked: ${fingerprint}`, { fingerprint });
    default:
      return trust satisfies never;
  }
}
