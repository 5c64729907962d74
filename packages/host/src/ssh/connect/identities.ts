/** Reads the keys that Drover logs in with, once; leaves keys with a passphrase to an agent. */
import { access, readFile } from 'node:fs/promises';
import type { ParsedKey } from 'ssh2';

import { loadSsh2, type Login } from '../carriers/ssh2-carrier.ts';
import type { Resolved } from './destination.ts';
import { ConnectError } from './errors.ts';

/** @throws ConnectError `no-identity` when the key that a person named is not there: ssh would offer others without a word. */
export async function checkIdentity({ givenIdentity }: Pick<Resolved, 'givenIdentity'>): Promise<void> {
  if (givenIdentity !== undefined && !(await isThere(givenIdentity)))
    throw new ConnectError('no-identity', `There is no key file "${givenIdentity}" where the gateway runs`);
}

/** Tells whether an authority has signed a key of the user: the library ssh2 cannot offer that. */
export async function hasCertificate({
  identityFiles,
  certificateFiles,
}: Pick<Resolved, 'identityFiles' | 'certificateFiles'>): Promise<boolean> {
  // Finds certificates as ssh finds them by itself.
  const files = [...certificateFiles, ...identityFiles.map((file) => `${file}-cert.pub`)];
  return (await Promise.all(files.map(isThere))).includes(true);
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** @throws ConnectError `no-identity` when nothing can be offered, with what to do. */
export async function readIdentities({ destination, identityFiles, agent, identitiesOnly }: Resolved): Promise<Login> {
  const { utils } = await loadSsh2();
  const keys: ParsedKey[] = [];
  const problems: string[] = [];
  for (const file of identityFiles) {
    const content = await readFile(file).catch((): undefined => undefined);
    // The usual names need not be there.
    if (content === undefined) continue;
    const key = utils.parseKey(content);
    if (key instanceof Error) {
      const isLocked = /passphrase|encrypted/iu.test(key.message);
      problems.push(
        isLocked
          ? `"${file}" has a passphrase: add it to an ssh-agent (ssh-add ${file})`
          : `"${file}" is not a private key that ssh2 can read (${key.message}): if it is valid, use the carrier openssh`,
      );
    } else keys.push(key);
  }
  // An agent holds the keys with passphrases; asked for certain files only, it may hold nothing but those.
  const asked = identitiesOnly && keys.length > 0 && problems.length === 0 ? undefined : agent;
  if (keys.length === 0 && asked === undefined) {
    const found =
      problems.length === 0
        ? `there is none of ${identityFiles.join(', ')}, and no ssh-agent runs`
        : problems.join('; ');
    throw new ConnectError('no-identity', `No key can be offered to "${destination.name}": ${found}`);
  }
  return { keys, agent: asked };
}
