/** Lets a machine in: machine and coordinator prove to each other who they are (docs/adr/0022). */
import { z } from 'zod';
import { base64, coordinatorIdentity, dialledUrl, epochMs, line, LIST_MAX, shownName, text, uuid } from './names.ts';
import { workerSettings, unreadSettings } from './worker-settings.ts';
import { profileSet } from './sync.ts';

const proto = z.string().max(20);
const nonce = z.string().min(1).max(200);

/** Every request of a machine that wants to be let in names its protocol first: an agent that is too old hears that. */
export const speaking = z.object({ proto: proto.default('1.0') });

/** `POST /agent/join`: a new machine shows the secret of its single-use token and its public key. */
export const joinRequest = z.object({
  proto,
  token: z.string().max(200),
  name: shownName('a machine'),
  /** Ed25519 public key, SPKI DER in base64. */
  publicKey: base64,
});
/** A checked `joinRequest`. */
export type JoinRequest = z.infer<typeof joinRequest>;
/** The machine's id, for good. The same key asking again is given the same id. */
export const joinAnswer = z.object({ machineId: uuid });
/** A checked `joinAnswer`. */
export type JoinAnswer = z.infer<typeof joinAnswer>;

/**
 * `POST /agent/challenge`: asks the coordinator who it is, and what the machine must sign at its next hello. A machine that has
 * not joined names any id; the answer has the same form for every id.
 */
export const challengeRequest = z.object({
  proto,
  machineId: uuid,
  /** The coordinator's address as the machine dialled it. */
  url: dialledUrl,
  /** Nonce of the machine's own: the answer to an earlier question proves nothing. */
  salt: nonce,
});
/** A checked `challengeRequest`. */
export type ChallengeRequest = z.infer<typeof challengeRequest>;
/** A nonce that is good for one hello within a minute, and the coordinator's proof of who it is. */
export const challengeAnswer = z.object({
  nonce,
  coordinator: coordinatorIdentity,
  /** The coordinator's signature of `challengeMessage(...)`, base64. */
  signature: base64,
});
/** A checked `challengeAnswer`. */
export type ChallengeAnswer = z.infer<typeof challengeAnswer>;

/** `POST /agent/hello`: raises the machine's epoch and gives a short-lived access token. */
export const helloRequest = z.object({
  machineId: uuid,
  nonce,
  /** The coordinator that the machine means, and the address by which it reaches it. */
  coordinator: coordinatorIdentity,
  url: dialledUrl,
  /** Signature of `helloMessage(...)` by the machine's key, base64. */
  signature: base64,
  /** The key that the machine wants to be known by from now on, and its signature of the same message. */
  next: z.object({ publicKey: base64, signature: base64 }).nullable(),
  agentEpoch: uuid,
  proto,
  version: text,
  facts: z.object({
    hostname: line,
    platform: line,
    tmux: line,
    git: line,
    node: line,
    /** The machine's time zone, an IANA name. */ zone: line,
  }),
  /** Places of projects' checkouts here; null: a gateway, which has none. */
  places: z
    .object({
      /** The absolute directory in which the machine makes checkouts. */
      workspace: line,
      /** Checkouts that the machine's owner names, by the project's name. */
      roots: z.record(line, line),
    })
    .nullable(),
});
/** A checked `helloRequest`. */
export type HelloRequest = z.infer<typeof helloRequest>;
/**
 * The token for syncs until `expiresAt`, the machine's new epoch, the coordinator's time (epoch milliseconds), and every
 * worker that is on this machine.
 */
export const helloAnswer = z.object({
  accessToken: line,
  expiresAt: epochMs,
  epoch: z.number().int(),
  serverTime: epochMs,
  /** The key that the machine is known by now. */
  publicKey: base64,
  /** The machine shall make a new key and say hello with both. */
  rotate: z.boolean(),
  /** Each by itself: one that this build cannot read does not lock the machine out. */
  workers: z.array(z.union([workerSettings, unreadSettings])).max(LIST_MAX),
  profiles: profileSet,
  /** Capabilities of the coordinator that this agent may lack. */
  lacks: z.array(text).max(LIST_MAX).readonly(),
});
/** A checked `helloAnswer`. */
export type HelloAnswer = z.infer<typeof helloAnswer>;

/** The bytes that a coordinator signs to prove who it is, to this machine, now, and at this address. */
export function challengeMessage(
  { machineId, salt, url }: Pick<ChallengeRequest, 'machineId' | 'salt' | 'url'>,
  given: string,
): string {
  return JSON.stringify(['drover-challenge', machineId, salt, url, given]);
}

/** The bytes that a machine signs to prove who it is, and to whom it wants to speak. */
export function helloMessage({
  machineId,
  nonce: given,
  agentEpoch,
  coordinator,
  url,
  next,
}: Pick<HelloRequest, 'machineId' | 'nonce' | 'agentEpoch' | 'coordinator' | 'url'> & {
  next: Pick<NonNullable<HelloRequest['next']>, 'publicKey'> | null;
}): string {
  return JSON.stringify(['drover-hello', machineId, given, agentEpoch, coordinator, url, next?.publicKey ?? null]);
}

/** An error answer of the agent routes. `retryAfterMs`: the machine is to ask again then. */
export const agentError = z.object({
  code: line,
  message: text,
  retryAfterMs: z.number().int().nonnegative().optional(),
});
/** A checked `agentError`. */
export type AgentError = z.infer<typeof agentError>;
