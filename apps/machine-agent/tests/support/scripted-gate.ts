/** Gate of a coordinator of tests: it proves its identity, lets one machine join, and verifies that machine later. */
import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import {
  challengeMessage,
  challengeRequest,
  helloMessage,
  helloRequest,
  invitationText,
  joinRequest,
  type HelloRequest,
} from '@drover/protocol';

interface Answered {
  readonly status: number;
  readonly answer: unknown;
}

/** Parts of the answer to a hello, where the coordinator has nothing to say. */
export const NOTHING_NEW = { profiles: { revision: 0, documents: [] }, lacks: [] };

export class ScriptedGate {
  /** Key that proves its identity; another key makes it another coordinator. */
  keys = generateKeyPairSync('ed25519');
  /** True if it proves its identity; a thief of its address names its identity but lacks its key. */
  isHonest = true;
  /** Reason to refuse a machine that it knows; null: it lets the machine in. */
  refusal: 'machine-revoked' | null = null;
  /** Times that it tells the machine to come later, and after how many milliseconds. */
  turn = { times: 0, afterMs: 0 };
  /** True if it asks the machine for a new key. */
  rotate = false;
  rotations = 0;
  readonly #secret = randomUUID();
  #machine: { id: string; publicKey: string } | undefined;
  #nonce = '';

  /** Identity of the coordinator: its public key. */
  get identity(): string {
    return this.keys.publicKey.export({ format: 'jwk' }).x ?? '';
  }

  get token(): string {
    return invitationText({ secret: this.#secret, coordinator: this.identity });
  }

  /** Key by which it knows the machine. */
  get machineKey(): string | undefined {
    return this.#machine?.publicKey;
  }

  challenge(body: unknown): Answered {
    const question = challengeRequest.parse(body);
    this.#nonce = randomUUID();
    const message = Buffer.from(challengeMessage(question, this.#nonce));
    const { privateKey } = this.isHonest ? this.keys : generateKeyPairSync('ed25519');
    const signature = sign(null, message, privateKey).toString('base64');
    return { status: 200, answer: { nonce: this.#nonce, coordinator: this.identity, signature } };
  }

  join(body: unknown): Answered {
    const { token, publicKey } = joinRequest.parse(body);
    const isSame = this.#machine?.publicKey === publicKey;
    if (token !== this.#secret || (this.#machine !== undefined && !isSame)) return refused(401, 'bad-token');
    this.#machine ??= { id: randomUUID(), publicKey };
    return { status: 200, answer: { machineId: this.#machine.id } };
  }

  /** @returns null for a machine that is let in. */
  hello(body: unknown, dialled: string): Answered | null {
    const request = helloRequest.parse(body);
    const { nonce, next, coordinator, url } = request;
    if (this.#machine === undefined) return refused(404, 'unknown-machine');
    const isMeant = nonce === this.#nonce && coordinator === this.identity && url === dialled;
    const isOld = isSigned(this.#machine.publicKey, request, request.signature);
    const isNew = next !== null && isSigned(next.publicKey, request, next.signature);
    const isKnown = next?.publicKey === this.#machine.publicKey ? isNew : isOld;
    if (!isMeant || !isKnown) return refused(404, 'unknown-machine');
    if (this.refusal !== null) return refused(403, this.refusal);
    if (this.turn.times > 0) {
      this.turn.times -= 1;
      const { afterMs: retryAfterMs } = this.turn;
      return { status: 429, answer: { code: 'come-back', message: 'many come at once', retryAfterMs } };
    }
    if (isNew && isOld && this.rotate) {
      this.#machine = { ...this.#machine, publicKey: next.publicKey };
      this.rotate = false;
      this.rotations += 1;
    }
    return null;
  }
}

export function refused(status: number, code: string): Answered {
  return { status, answer: { code, message: `the test's coordinator refused: ${code}` } };
}

function isSigned(publicKey: string, request: HelloRequest, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(helloMessage(request)), key, Buffer.from(signature, 'base64'));
}
