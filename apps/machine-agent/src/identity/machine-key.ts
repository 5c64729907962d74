/** How does a machine prove who it is? With an Ed25519 key that never leaves it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The key of this machine. */
export interface MachineKey {
  /** SPKI DER in base64. */
  readonly publicKey: string;
  /** The signature of a text's UTF-8 bytes, base64. */
  sign(text: string): string;
}

/** Reads the key of a data directory, or makes it (mode 0600). @throws when the directory cannot be written. */
export function loadMachineKey(dataDir: string): MachineKey {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'machine-key.pem');
  const key = existsSync(path) ? createPrivateKey(readFileSync(path)) : makeKey(path);
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

function makeKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  return privateKey;
}
