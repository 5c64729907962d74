/** Reaches a machine: the way, the key that it shows, the login. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalClock } from '@drover/base';
import type { ServerHostKeyAlgorithm } from 'ssh2';

import type { ProgramRunner } from '../../host.ts';
import type { Carrier } from '../carrier.ts';
import { connectOpenssh } from '../carriers/openssh-carrier.ts';
import { connectSsh2, loadSsh2, offerKeys } from '../carriers/ssh2-carrier.ts';
import { commandLine, type Destination, resolveDestination, type Resolved } from './destination.ts';
import { endWhenAborted } from './end-when-aborted.ts';
import { ConnectError } from './errors.ts';
import { asHostKey, type HostKey, judge, type KnownKeys, lookUpKeys, refusal, type Trust } from './host-key.ts';
import { checkIdentity, hasCertificate, readIdentities } from './identities.ts';
import { explainJump } from './jump.ts';
import { openWay } from './way.ts';

/** A round trip in milliseconds from which bytes are compressed: forty times fewer, for some work. */
const COMPRESS_FROM_MS = 20;
/** Milliseconds for the system's client to be shown a key. */
const SHOWN_MS = 20_000;

/** Tools that connecting needs of the machine it starts from. */
export interface ConnectTools {
  readonly local: Pick<ProgramRunner, 'run'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: LocalClock;
  /** Directory for control sockets and pinned keys: absolute, short, entered by its owner alone. */
  readonly directory: string;
  readonly newSecret: () => string;
}

/** Way to reach one machine. */
export interface ConnectOptions {
  readonly destination: Destination;
  /** Keys from the machine's row. If there are any, no others count. */
  readonly pinned: readonly HostKey[];
  /** Default: `ssh2`, and `openssh` where an authority signs the keys of the host. */
  readonly carrier?: 'ssh2' | 'openssh' | undefined;
  /** Milliseconds there and back, where they were measured before; else those of opening the way count, which with a jump tell nothing. */
  readonly roundTripMs?: number | undefined;
  /** Gives the attempt up. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** A connection that was made. */
export interface Made {
  readonly carrier: Carrier;
  /** Keys that the host has proved, as far as it has told by now; to be pinned. */
  readonly provenKeys: () => readonly HostKey[];
}

/** The key that a host shows, and what is known of it. */
export interface ShownKey {
  readonly key: HostKey;
  readonly trust: Trust;
}

/**
 * @throws ConnectError: `host-key-unknown` and `host-key-changed` with the fingerprint, `denied`, `no-identity`, `unreachable` …
 */
export async function connectTo(given: ConnectTools, options: ConnectOptions): Promise<Made> {
  const tools = withinSignal(given, options.signal);
  const found = await resolve(tools, options);
  return connectBy(tools, found, options).catch((error: unknown) => throwExplained(tools, found.resolved, error));
}

async function connectBy(
  tools: BoundTools,
  { resolved, known }: { readonly resolved: Resolved; readonly known: KnownKeys },
  options: ConnectOptions,
): Promise<Made> {
  if (options.carrier === 'openssh') return byOpenssh(tools, resolved, options);
  if (options.carrier === 'ssh2') return bySsh2(tools, { resolved, known, options });
  const hasSigned = (known.hasAuthority && options.pinned.length === 0) || (await hasCertificate(resolved));
  if (hasSigned) return byOpenssh(tools, resolved, options);
  return bySsh2(tools, { resolved, known, options }).catch((error: unknown) => {
    if (!(error instanceof ConnectError && error.code === 'no-common-method')) throw error;
    return byOpenssh(tools, resolved, options);
  });
}

/** Throws the error, or in its place what is known of the host on the way that it is about. */
async function throwExplained(tools: BoundTools, { jump, destination }: Resolved, error: unknown): Promise<never> {
  if (jump === undefined) throw error;
  const { configFile } = destination;
  throw await explainJump(error, { way: jump, configFile }, (hop) =>
    readShownKey(tools, { destination: hop, pinned: [], signal: tools.signal }),
  );
}

/** Tools whose programs, ways and connections end when the signal fires. */
interface BoundTools extends ConnectTools {
  readonly signal: AbortSignal | undefined;
}

function withinSignal(tools: ConnectTools, signal: AbortSignal | undefined): BoundTools {
  if (signal === undefined) return { ...tools, signal };
  const { local } = tools;
  return {
    ...tools,
    local: { run: (program, args, limits) => local.run(program, args, { ...limits, signal }) },
    signal,
  };
}

async function resolve(
  { local, env }: ConnectTools,
  { destination, pinned }: ConnectOptions,
): Promise<{ readonly resolved: Resolved; readonly known: KnownKeys }> {
  const resolved = await resolveDestination(local, destination, env);
  await checkIdentity(resolved);
  return { resolved, known: await lookUpKeys(local, resolved, pinned) };
}

/** Takes the key that a host shows and hangs up, before any login: no handshake waits for a person. */
export async function readShownKey(given: ConnectTools, options: ConnectOptions): Promise<ShownKey> {
  const tools = withinSignal(given, options.signal);
  const { resolved, known } = await resolve(tools, options);
  const key = await shownKey(tools, resolved).catch((error: unknown) => throwExplained(tools, resolved, error));
  return { key, trust: judge(key, known) };
}

async function shownKey(tools: BoundTools, resolved: Resolved): Promise<HostKey> {
  let shown: Buffer | undefined;
  // Loads the library before there is a socket: an error of the socket has a listener only once the library has it.
  await loadSsh2();
  try {
    const socket = await openWay(tools, resolved);
    using _ = endWhenAborted(tools.signal, () => socket.destroy());
    await connectSsh2({
      socket,
      user: resolved.user,
      login: offerKeys(resolved.user, {}),
      trusts(key) {
        shown = key;
        return false;
      },
    });
  } catch (error) {
    if (shown === undefined && error instanceof ConnectError && error.code === 'no-common-method')
      return shownToOpenssh(tools, resolved);
    if (shown === undefined) throw error;
  }
  if (shown === undefined) throw new ConnectError('unreachable', `"${resolved.host}" showed no key`);
  return asHostKey(shown);
}

/** A server that speaks nothing that ssh2 speaks: ssh notes its key in a file of its own, and offers nothing to log in with. */
async function shownToOpenssh(tools: ConnectTools, { destination, host }: Resolved): Promise<HostKey> {
  const file = join(tools.directory, `shown-${tools.newSecret().slice(0, 12)}`);
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=accept-new', 'HashKnownHosts=no', 'ConnectTimeout=15'];
  const only = [`UserKnownHostsFile=${file}`, 'GlobalKnownHostsFile=none', 'PreferredAuthentications=none'];
  const words = [...options, ...only].flatMap((option) => ['-o', option]);
  const asked = await tools.local.run('ssh', ['-T', ...words, ...commandLine(destination), 'true'], {
    timeoutMs: SHOWN_MS,
  });
  const noted = await readFile(file, 'utf8').catch(() => '');
  await rm(file, { force: true });
  const [, kind, bytes] = noted.trim().split('\n').at(-1)?.split(' ') ?? [];
  if (kind === undefined || bytes === undefined)
    throw new ConnectError(
      'unreachable',
      `"${host}" showed no key: ${asked.stderr.trim() || 'ssh ended without a word'}`,
    );
  return `${kind} ${bytes}`;
}

async function bySsh2(
  tools: BoundTools,
  { resolved, known, options }: { resolved: Resolved; known: KnownKeys; options: ConnectOptions },
): Promise<Made> {
  const login = offerKeys(resolved.user, await readIdentities(resolved));
  const trusted = known.pinned.length > 0 ? known.pinned : known.known;
  let refused: ConnectError | undefined;
  const started = tools.clock.elapsed();
  try {
    const socket = await openWay(tools, resolved);
    using _ = endWhenAborted(tools.signal, () => socket.destroy());
    const roundTripMs = options.roundTripMs ?? tools.clock.elapsed() - started;
    const { carrier, provenKeys } = await connectSsh2({
      socket,
      user: resolved.user,
      login,
      compress: roundTripMs >= COMPRESS_FROM_MS,
      // A host with several keys shows one of those that are known.
      keyKinds: trusted.length === 0 ? undefined : kindsOf(trusted),
      trusts(wire) {
        const key = asHostKey(wire);
        const trust = judge(key, known);
        if (trust !== 'trusted') refused = refusal(resolved.host, key, trust);
        return trust === 'trusted';
      },
    });
    return { carrier, provenKeys: () => provenKeys().map(asHostKey) };
  } catch (error) {
    if (refused !== undefined) throw refused;
    // The server has no key of a known kind: then it shows another.
    if (error instanceof ConnectError && error.code === 'no-common-method' && trusted.length > 0) {
      const key = await shownKey(tools, resolved);
      const trust = judge(key, known);
      if (trust !== 'trusted') throw refusal(resolved.host, key, trust);
    }
    throw error;
  }
}

/** A key of the kind RSA signs in two ways that are still good. */
function kindsOf(keys: readonly HostKey[]): readonly ServerHostKeyAlgorithm[] {
  const kinds = new Set(keys.map((key) => key.split(' ')[0] ?? ''));
  return [...kinds].flatMap((kind) =>
    kind === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [kind],
  ) as ServerHostKeyAlgorithm[];
}

async function byOpenssh(
  tools: BoundTools,
  resolved: Resolved,
  { pinned, destination, roundTripMs = 0 }: ConnectOptions,
): Promise<Made> {
  const name = tools.newSecret().slice(0, 12);
  const file = join(tools.directory, `known-${name}`);
  const only = pinned.length === 0 ? [] : ['-o', `UserKnownHostsFile=${file}`, '-o', 'GlobalKnownHostsFile=none'];
  if (pinned.length > 0) {
    await writeFile(file, pinned.map((key) => `${resolved.knownName} ${key}\n`).join(''), { mode: 0o600 });
  }
  const compressed = roundTripMs >= COMPRESS_FROM_MS ? ['-o', 'Compression=yes'] : [];
  const carrier = await connectOpenssh({
    destination: [...only, ...compressed, ...commandLine(destination)],
    socket: join(tools.directory, `c-${name}`),
    env: tools.env,
    clock: tools.clock,
    signal: tools.signal,
  }).catch(async (error: unknown): Promise<never> => {
    if (!(error instanceof ConnectError && error.code === 'host-key-refused')) throw error;
    const known = await lookUpKeys(tools.local, resolved, pinned);
    const key = await shownKey(tools, resolved);
    const trust = judge(key, known);
    throw trust === 'trusted' ? error : refusal(resolved.host, key, trust);
  });
  return { carrier, provenKeys: () => pinned };
}
