/** Joins a machine to a coordinator in memory, and sends any hello. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';
import { helloMessage, PROTOCOL_VERSION } from '@drover/protocol';
import type { ChallengeAnswer, HelloAnswer, HelloRequest } from '@drover/protocol';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { challenge, hello, join } from '../agent/enrol.ts';
import { sha256 } from '../context/sha256.ts';
import type { Answer } from '../agent/enrol.ts';
import type { Context } from '../context/context.ts';
import { testContext } from './context.ts';

/** Address that the machine dials. */
export const DIALLED = 'https://drover.example.com';

/** A challenge that lacks only the machine. */
export const QUESTION = { proto: PROTOCOL_VERSION, url: DIALLED, salt: 'salt' };

/** Returns `ok`, or the code of the refusal. */
export function codeOf(answer: Answer<unknown>): string {
  return answer.kind === 'ok' ? 'ok' : answer.error.code;
}

/** Encodes as SPKI DER in base64. */
export function publicKeyOf({ publicKey }: KeyPairKeyObjectResult): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** @throws with the message of a refusal. */
export async function asked(
  ctx: Context,
  machineId: string,
  url = DIALLED,
): Promise<{ readonly value: ChallengeAnswer }> {
  const answer = await challenge(ctx, { ...QUESTION, machineId, url });
  if (answer.kind !== 'ok') throw new Error(answer.error.message);
  return answer;
}

/** Differences of a hello. */
export interface Said {
  readonly given?: ChallengeAnswer;
  readonly id?: string;
  readonly url?: string;
  /** Keys that sign the hello. */
  readonly by?: KeyPairKeyObjectResult;
  readonly next?: KeyPairKeyObjectResult;
  readonly nextSignature?: string;
  /** Another next key, signed by itself, takes the place of the one that the machine has signed for. */
  readonly swap?: boolean;
  /** Fields that an attacker changes after the signature. */
  readonly change?: Partial<HelloRequest>;
}

/** A machine of an owner `keys`, known to the coordinator; `nature` is the shared clock. */
export interface ChallengedMachine {
  readonly ctx: Context;
  readonly nature: { now: number };
  readonly keys: KeyPairKeyObjectResult;
  readonly id: string;
  challenge(): Promise<ChallengeAnswer>;
  hello(said?: Said): Promise<Answer<HelloAnswer>>;
}

/** Lets a machine join. */
export async function joined(patch: Partial<Context> = {}): Promise<ChallengedMachine> {
  const nature = { now: 1_800_000_000_000 };
  const ctx = { ...contextOn(nature), ...patch };
  const keys = generateKeyPairSync('ed25519');
  await ctx.store.createJoinToken({ sha256: sha256('secret'), expiresAt: nature.now + 1, now: nature.now });
  const body = { proto: PROTOCOL_VERSION, token: 'secret', name: 'laptop', publicKey: publicKeyOf(keys) };
  const answer = await join(ctx, body);
  if (answer.kind !== 'ok') throw new Error(answer.error.message);
  const id = answer.value.machineId;
  const agentEpoch = randomUUID();
  return {
    ctx,
    nature,
    keys,
    id,
    challenge: async () => (await asked(ctx, id)).value,
    hello: async (said: Said = {}) => {
      const { by = keys, next, url = DIALLED, id: machineId = id } = said;
      const { nonce, coordinator } = said.given ?? (await asked(ctx, machineId, url)).value;
      const subject = { machineId, nonce, agentEpoch, coordinator, url };
      const nextKey = next === undefined ? null : { publicKey: publicKeyOf(next) };
      const signed = (key: KeyPairKeyObjectResult, about = nextKey): string =>
        sign(null, Buffer.from(helloMessage({ ...subject, next: about })), key.privateKey).toString('base64');
      const thief = generateKeyPairSync('ed25519');
      const swapped = { publicKey: publicKeyOf(thief) };
      const shown =
        said.swap === true
          ? { ...swapped, signature: signed(thief, swapped) }
          : next === undefined
            ? null
            : { publicKey: publicKeyOf(next), signature: said.nextSignature ?? signed(next) };
      return hello(ctx, {
        ...subject,
        signature: signed(by),
        next: shown,
        proto: PROTOCOL_VERSION,
        places: { workspace: '/w', roots: {} },
        version: 'test',
        facts: { hostname: 'h', platform: 'p', tmux: '3', git: '2', node: '24', zone: 'UTC' },
        ...said.change,
      });
    },
  };
}

let ids = 0;

function contextOn(nature: { now: number }): Context {
  return testContext({
    store: createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 }),
    clock: { now: () => nature.now, after: () => () => {} },
    ids: {
      uuid: () => randomUUID(),
      secret: () => {
        ids += 1;
        return String(ids).padStart(43, '0');
      },
    },
  });
}
