/** With which keys does Drover log in? They are read once, and those with a passphrase are left to an agent. */
import { readFile } from 'node:fs/promises';
import type { ParsedKey } from 'ssh2';

import { loadSsh2, type Login } from '../carriers/ssh2-carrier.ts';
import type { Resolved } from './destination.ts';
import { ConnectError } from './errors.ts';

/** @throws ConnectError `no-identity` when nothing can be offered, with what to do. */
export async function readIdentities({ destination, identityFiles, agent, identitiesOnly }: Resolved): Promise<Login> {
  const { utils } = await loadSsh2();
  const keys: ParsedKey[] = [];
  const problems: string[] = [];
  for (const file of identityFiles) {
    const content = await readFile(file).catch((): undefined => undefined);
    if (content === undefined) {
      // The usual names need not be there; the one that a person gave has to.
      if (file === destination.identity) throw new ConnectError('no-identity', `There is no key file "${file}"`);
      continue;
    }
    const key = utils.parseKey(content);
    if (key instanceof Error) {
      const isLocked = /passphrase|encrypted/iu.test(key.message);
      problems.push(
        isLocked
          ? `"${file}" has a passphrase: add it to an ssh-agent (ssh-add ${file})`
          : `"${file}" is no private key: ${key.message}`,
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
