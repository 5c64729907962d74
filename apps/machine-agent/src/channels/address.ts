/**
 * Chooses the address at which an agent program lets this machine agent in. Each start has its own: a port of loopback and a password, or a
 * socket in a private directory with a name that cannot be guessed. It stands in a file of the worker: a restarted agent still finds the program.
 */
import { dirname, join } from 'node:path';
import type { Host } from '@drover/host';
import type { Profile } from '@drover/screen';
import { z } from 'zod';
import type { Version } from '../host/program-versions.ts';
import { isAtLeast, parseVersion } from '../host/program-versions.ts';
import type { AgentProfile } from '../panes/agent-profile.ts';

const address = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('port'), port: z.number().int(), password: z.string() }),
  z.object({ kind: z.literal('socket'), path: z.string(), permissions: z.enum(['ask', 'skip']) }),
]);

/** Address at which a program lets a second client in. */
export type Address = z.infer<typeof address>;

/** Characters of the random part of a directory: the paths of sockets are short. */
const NAME_CHARS = 13;

/** File of a worker's address, whether or not it exists. */
export function addressFile(machineDir: string, workerId: string): string {
  return join(machineDir, 'hooks', `${workerId}.channel.json`);
}

type ChannelOf = NonNullable<Profile['launch']['channel']>;

/** Way into the next session of a program, or why there is none, in words that follow "by its screen alone:". */
export type Way =
  | { readonly kind: 'open'; readonly channel: ChannelOf }
  | { readonly kind: 'none'; readonly why: string };

/** Facts about a start. */
interface Starting {
  /** Null: the program did not tell. */
  readonly version: Version | null;
  readonly isCaged: boolean;
  /** True if the project lets agents work in its folder. */
  readonly isTrusted: boolean;
  /** Permissions of the start; null: any. */
  readonly permissions: Permissions | null;
  /** Address of the start before, if its conversation is taken up; null: a new one begins. */
  readonly former: Address | 'unknown' | null;
}

/** Permissions of an agent: it asks a person, or may do everything. */
export type Permissions = 'ask' | 'skip';

/** Tells whether a second client can join the sessions of a program. */
export function wayInto(
  { profile, channel: isWanted, args }: AgentProfile,
  { version, isCaged, isTrusted, permissions, former }: Starting,
): Way {
  const { channel } = profile.launch;
  if (channel === null) return none('its program lets no second client in');
  if (!isWanted) return none('channel is false in its profile of drover.toml');
  const least = parseVersion(channel.since);
  if (version === null || least === null || !isAtLeast(version, least))
    return none(
      `its program must be ${channel.since} or newer, and is ${version?.join('.') ?? 'of an unknown version'}`,
    );
  if (channel.kind === 'codex' && isCaged) return none('its socket lies outside of its cage');
  if (channel.kind === 'codex' && args.length > 0)
    return none('args of its profile in drover.toml are for one program, and this way needs two');
  // With a channel Codex begins without its question whether the folder is trusted.
  if (channel.kind === 'codex' && !isTrusted)
    return none('the project does not trust its folder, about which only its screen asks');
  // Codex keeps the permissions of a conversation, whatever its server is told, and its screen may not name others then.
  if (channel.kind === 'codex' && former !== null && !hasPermissions(former, permissions))
    return none('its conversation did not begin with a channel and the same permissions');
  return { kind: 'open', channel };
}

function hasPermissions(before: Address | 'unknown', wanted: Permissions | null): boolean {
  return before !== 'unknown' && before.kind === 'socket' && before.permissions === wanted;
}

interface Places {
  /** File of the worker's address. */
  readonly file: string;
  /** Short private directory for sockets. */
  readonly runtimeDir: string;
  readonly newSecret: () => string;
  readonly permissions: Permissions;
}

/** Chooses the address for a program that is about to start; null removes that of an earlier start. */
export async function offerAddress(host: Host, channel: ChannelOf | null, places: Places): Promise<Address | null> {
  await withdrawAddress(host, places.file);
  if (channel === null) return null;
  const offered = await newAddress(host, channel, places);
  await host.mkdir(dirname(places.file));
  await host.writeFile(places.file, JSON.stringify(offered), { inPlace: true });
  return offered;
}

async function newAddress(
  host: Host,
  { kind }: ChannelOf,
  { runtimeDir, newSecret, permissions }: Places,
): Promise<Address> {
  switch (kind) {
    case 'opencode':
      return { kind: 'port', port: await host.loopback.freePort(), password: newSecret() };
    case 'codex': {
      const directory = join(runtimeDir, `c-${newSecret().slice(0, NAME_CHARS)}`);
      await host.mkdir(directory);
      return { kind: 'socket', path: join(directory, 's'), permissions };
    }
    default:
      return kind satisfies never;
  }
}

/** Removes a worker's address, and the directory of its socket. */
export async function withdrawAddress(host: Host, file: string): Promise<void> {
  const before = await readAddress(host, file);
  if (before?.kind === 'socket') await host.removeTree(dirname(before.path));
  await host.removeFile(file);
}

/** Reads a worker's address; null when there is none. */
export async function readAddress(host: Pick<Host, 'readFile'>, file: string): Promise<Address | null> {
  const bytes = await host.readFile(file).catch(() => undefined);
  try {
    return address.parse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')));
  } catch {
    return null;
  }
}

function none(why: string): Way {
  return { kind: 'none', why };
}
