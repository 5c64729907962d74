// Who are the machines and the coordinators of a schedule? Real keys, for the product checks them.
import { generateKeyPairSync, sign } from 'node:crypto';
import { TEST_IDENTITY } from '@drover/coordinator/testing';
import type { MachineKeys } from '@drover/machine-agent/testing';

/** Keys of machines, made once for the whole run: nothing depends on which they are. */
export const KEYS: readonly MachineKeys[] = keys(5);

/** Keys of gateways: each has its own, and one for each of its hosts. */
export const GATEWAY_KEYS: readonly (readonly MachineKeys[])[] = [keys(6), keys(6)];

function keys(length: number): readonly MachineKeys[] {
  return Array.from({ length }, newKeys);
}

function newKeys(): MachineKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const current = {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
  return { current, next: null, makeNext: () => {}, settle: () => {} };
}

/** Who the coordinators of every schedule are. */
export const FLEET = TEST_IDENTITY;
