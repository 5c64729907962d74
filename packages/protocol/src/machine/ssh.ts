/** A machine of the kind ssh: how it is reached, and what its gateway and the coordinator tell each other of it. */
import { z } from 'zod';
import { base64, line, shownName, text, uuid } from '../names.ts';

const HOST = '(?:[A-Za-z0-9][A-Za-z0-9._-]*|[0-9A-Fa-f]*:[0-9A-Fa-f:]+)';
const USER = '(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?';
const JUMP_HOST = '(?:[A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:]+\\])';

/** `user@host`, a host, or a name of the gateway's ssh configuration. No word that ssh could take as an option or a shell as more than one. */
export const sshDestination = z
  .string()
  .max(255)
  .regex(
    new RegExp(`^${USER}${HOST}$`, 'u'),
    'The destination is user@host or host, such as ada@build-3.example.com: letters, digits, ".", "_" and "-"; a port goes to --port',
  );

/** Way to a host, in a person's words. */
export const sshConnection = z.object({
  destination: sshDestination,
  port: z.number().int().min(1).max(65_535).nullable().default(null),
  /** The file of a private key, where the gateway runs. */
  identity: z
    .string()
    .max(1_000)
    .regex(/^~?\/[^\p{Cc}]*$/u, 'The identity is the absolute path of a private key where the gateway runs')
    .nullable()
    .default(null),
  jump: z
    .string()
    .max(1_000)
    .regex(
      new RegExp(`^${USER}${JUMP_HOST}(?::\\d{1,5})?(?:,${USER}${JUMP_HOST}(?::\\d{1,5})?)*$`, 'u'),
      'The jump is user@host, host, either with :port, or several with commas',
    )
    .nullable()
    .default(null),
  /** Carrier; null: ssh2, and the system's client where an authority signs the keys of the host. */
  carrier: z.enum(['ssh2', 'openssh']).nullable().default(null),
});
/** A checked `sshConnection`. */
export type SshConnection = z.infer<typeof sshConnection>;

/** A public key as in a file of known hosts: its kind, and its bytes in Base64. */
export const sshHostKey = z
  .string()
  .max(20_000)
  .regex(/^[a-z0-9@.-]{1,100} [A-Za-z0-9+/]+={0,2}$/u, 'expected the public key of a host');

const FINGERPRINT = 'A fingerprint is SHA256: and 43 characters, as "ssh-keygen -lf" prints it';

/** The fingerprint of such a key, as ssh prints it. */
export const sshFingerprint = z
  .string()
  .max(50, { error: FINGERPRINT, abort: true })
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/u, FINGERPRINT);

/** Finding about a host, and what helps where it is not as it should be. */
export const hostFinding = z.object({
  check: line,
  /** `problem`: the host cannot serve. `warning`: it serves, with less than it could. */
  level: z.enum(['ok', 'warning', 'problem']),
  says: text,
  help: text.nullable(),
  /** The command for it, to be run on the host. */
  command: text.nullable(),
});
/** A checked `hostFinding`. */
export type HostFinding = z.infer<typeof hostFinding>;

/** Keys of one host that a gateway tells at most: a server has one to four. */
export const HOST_KEYS_MAX = 20;

/** State of a gateway's connection to a host. */
export const hostState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connecting') }),
  /** State of a host without pinned keys. `isKnown`: the files of known hosts where the gateway runs have this key. */
  z.object({ kind: z.literal('key-unknown'), key: sshHostKey, isKnown: z.boolean() }),
  /** Connection to a host that shows none of the keys that are pinned. */
  z.object({ kind: z.literal('key-changed'), key: sshHostKey }),
  /** Connection to a host that lacks what a machine needs: the findings say what. */
  z.object({ kind: z.literal('lacks') }),
  z.object({ kind: z.literal('connected'), hostId: line, keys: z.array(sshHostKey).max(HOST_KEYS_MAX) }),
  /** Lost connection. `retry`: the gateway tries again by itself. */
  z.object({ kind: z.literal('lost'), code: line, why: text, retry: z.boolean() }),
]);
/** A checked `hostState`. */
export type HostState = z.infer<typeof hostState>;

/** Hosts of one gateway at most. */
const HOSTS_MAX = 1_000;

/** Report of a gateway about a host. */
export const hostReport = z.object({
  machineId: uuid,
  /** The epoch under which the gateway serves it. */
  epoch: z.number().int().nonnegative(),
  state: hostState,
  findings: z.array(hostFinding).max(100),
});
/** A checked `hostReport`. */
export type HostReport = z.infer<typeof hostReport>;

/** `POST /agent/gateway`: how the hosts are that this gateway serves, and which it wants to serve. */
export const gatewayRequest = z.object({
  proto: z.string().max(20),
  hosts: z.array(hostReport).max(HOSTS_MAX),
  /** Machines that were said to be free, each with the key by which the gateway speaks for it from now on. */
  take: z.array(z.object({ machineId: uuid, publicKey: base64 })).max(HOSTS_MAX),
  /** Revision of the last answer that the gateway has read: another revision is told at once. */
  revision: line.default(''),
  /** The gateway ends: others may take its machines at once. */
  leaving: z.boolean().default(false),
});
/** A checked `gatewayRequest`. */
export type GatewayRequest = z.infer<typeof gatewayRequest>;

/** The machines that this gateway serves, those that it may take, and in how many milliseconds it should say how they are. */
export const gatewayAnswer = z.object({
  serve: z
    .array(
      z.object({
        machineId: uuid,
        name: shownName('a machine'),
        epoch: z.number().int().nonnegative(),
        connection: sshConnection,
        pinned: z.array(sshHostKey).max(40),
        hostId: line.nullable(),
      }),
    )
    .max(HOSTS_MAX),
  free: z.array(uuid).max(HOSTS_MAX),
  /** Revision of the answer; another one where anything of `serve` changed. */
  revision: line,
  intervalMs: z.number().int().positive(),
});
/** A checked `gatewayAnswer`. */
export type GatewayAnswer = z.infer<typeof gatewayAnswer>;
/** A machine as its gateway is to serve it. */
export type ServedMachine = GatewayAnswer['serve'][number];
