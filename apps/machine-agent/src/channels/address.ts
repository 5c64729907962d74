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
  z.object({ kind: z.literal('socket'), path: z.string() }),
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

/** Tells whether a second client can join the sessions of a program. @param version Null: the program did not tell. */
export function wayInto(
  { profile, channel: isWanted, args }: AgentProfile,
  { version, isCaged }: { readonly version: Version | null; readonly isCaged: boolean },
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
  return { kind: 'open', channel };
}

interface Places {
  /** File of the worker's address. */
  readonly file: string;
  /** Short private directory for sockets. */
  readonly runtimeDir: string;
  readonly newSecret: () => string;
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

async function newAddress(host: Host, { kind }: ChannelOf, { runtimeDir, newSecret }: Places): Promise<Address> {
  switch (kind) {
    case 'opencode':
      return { kind: 'port', port: await host.loopback.freePort(), password: newSecret() };
    case 'codex': {
      const directory = join(runtimeDir, `c-${newSecret().slice(0, NAME_CHARS)}`);
      await host.mkdir(directory);
      return { kind: 'socket', path: join(directory, 's') };
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
