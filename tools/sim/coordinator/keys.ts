// Holds the keys of a schedule's machines and coordinators. The keys are real, since the product checks them.
import type { HostKey } from '@drover/host/ssh';
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

/** Identity of every schedule's coordinators. */
export const FLEET = TEST_IDENTITY;

/** A host shows a key that is not trusted: no gateway logs in. */
export class KeyChanged extends Error {
  override readonly name = 'KeyChanged';
}

/** The kind of a key, in the form of the wire. */
const KIND = '0000000b7373682d6564323535313900000020';
const BYTES = 32;

/** Returns a host key in the form of a file of known hosts. */
export function hostKeyOf(number: number): HostKey {
  return `ssh-ed25519 ${Buffer.concat([Buffer.from(KIND, 'hex'), Buffer.alloc(BYTES, number)]).toString('base64')}`;
}
