/** Proves the identity of a machine with an Ed25519 key that never leaves it, and for a while with the next key, too. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- the key stays with the agent, wherever the panes are
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

interface MachineKey {
  /** SPKI DER in base64. */
  readonly publicKey: string;
  /** Signs the UTF-8 bytes of a text, in base64. */
  sign(text: string): string;
}

/** Keys of this machine. There are two from the moment that a new one is made until the coordinator confirms it. */
export interface MachineKeys {
  readonly current: MachineKey;
  readonly next: MachineKey | null;
  /** Makes the next key, if there is none: it is on the disk when this returns. */
  makeNext(): void;
  /** Keeps the key by which the coordinator knows the machine, and removes the other one. */
  settle(publicKey: string): void;
}

/** Reads the keys of a data directory, or makes the first (mode 0600). @throws when the directory cannot be written. */
export function loadMachineKeys(dataDir: string): MachineKeys {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'machine-key.pem');
  const nextPath = join(dataDir, 'machine-key-next.pem');
  let current = existsSync(path) ? readKey(path) : makeKey(path);
  let next = existsSync(nextPath) ? readKey(nextPath) : null;
  return {
    get current() {
      return current;
    },
    get next() {
      return next;
    },
    makeNext: () => {
      next ??= makeKey(nextPath);
    },
    settle: (publicKey) => {
      if (next === null) return;
      if (publicKey === next.publicKey) {
        renameSync(nextPath, path);
        current = next;
      } else if (publicKey === current.publicKey) {
        rmSync(nextPath, { force: true });
      } else return;
      sync(dataDir);
      next = null;
    },
  };
}

function readKey(path: string): MachineKey {
  return keyOf(createPrivateKey(readFileSync(path)));
}

function makeKey(path: string): MachineKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  sync(join(path, '..'));
  return keyOf(privateKey);
}

function keyOf(key: KeyObject): MachineKey {
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** Syncs a directory: only then a name in it is safe from a loss of power. */
function sync(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
