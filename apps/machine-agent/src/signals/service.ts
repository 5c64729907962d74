/**
 * Asks a program that serves its own state over HTTP, for this machine agent alone. Each start gets a port of the loopback address and a
 * password, which stand in a file of the worker: a restarted agent still finds the program.
 */
import { dirname, join } from 'node:path';
import type { Host } from '@drover/host';
import type { Profile, StructuredState } from '@drover/screen';
import { z } from 'zod';
import { isRecord, parsedLine } from './transcript.ts';

const service = z.object({ port: z.number().int(), password: z.string() });

/** Address at which a program serves its state. */
export type Service = z.infer<typeof service>;

/** Path without anything that could lead to another host. */
const PATH = /^\/(?!\/)/u;

/** File of a worker's service, whether or not it exists. */
export function serviceFile(machineDir: string, workerId: string): string {
  return join(machineDir, 'hooks', `${workerId}.service.json`);
}

/** Chooses the address for a program that is about to start; null when its profile serves nothing. */
export async function offerService(
  host: Host,
  path: string,
  { profile, newSecret }: { readonly profile: Profile; readonly newSecret: () => string },
): Promise<Service | null> {
  if (profile.launch.serve === null) return null;
  const offered = { port: await host.loopback.freePort(), password: newSecret() };
  await host.mkdir(dirname(path));
  await host.writeFile(path, JSON.stringify(offered), { inPlace: true });
  return offered;
}

/** Asks the program for its state. @returns null when it does not answer, or with nothing that the profile knows. */
export async function askService(
  host: Host,
  path: string,
  { launch, signals }: Profile,
): Promise<StructuredState | null> {
  const { structured } = signals;
  if (structured?.kind !== 'http' || !PATH.test(structured.where)) return null;
  const said = await get(host, path, { launch, where: structured.where });
  return said === undefined ? null : stateOfSessions(said, structured.status);
}

/** Program that serves its conversations, and the working directory of the one that is wanted. */
interface Asked {
  readonly machineDir: string;
  readonly workerId: string;
  readonly profile: Profile;
  readonly cwd: string;
}

/** Messages of the newest conversation in a working directory, oldest first; null when the program does not answer, or has none. */
export async function askSessions(
  host: Host,
  { machineDir, workerId, profile, cwd }: Asked,
): Promise<readonly unknown[] | null> {
  const { launch } = profile;
  const path = serviceFile(machineDir, workerId);
  const listed = await get(host, path, { launch, where: `/session?directory=${encodeURIComponent(cwd)}` });
  // Conversations of sub-agents have a parent.
  const own = (Array.isArray(listed) ? listed : [])
    .filter(isRecord)
    .filter(({ id, directory, parentID }) => directory === cwd && parentID === undefined && SESSION.test(String(id)))
    .toSorted((one, other) => updatedAt(other) - updatedAt(one));
  const [newest] = own;
  if (newest === undefined) return null;
  const messages = await get(host, path, { launch, where: `/session/${String(newest['id'])}/message` });
  return Array.isArray(messages) ? messages : null;
}

/** Id of a conversation, without anything that could lead to another path. */
const SESSION = /^\w{1,100}$/u;

function updatedAt({ time }: Readonly<Record<string, unknown>>): number {
  return isRecord(time) && typeof time['updated'] === 'number' ? time['updated'] : 0;
}

/** @returns undefined when the program does not answer with JSON. */
async function get(
  host: Host,
  path: string,
  { launch, where }: { readonly launch: Profile['launch']; readonly where: string },
): Promise<unknown> {
  if (launch.serve === null) return undefined;
  const { user } = launch.serve;
  const text = Buffer.from((await host.readFile(path).catch(() => undefined)) ?? []).toString('utf8');
  const found = service.safeParse(parsedLine(text));
  if (!found.success) return undefined;
  const { port, password } = found.data;
  return parsedLine((await host.loopback.getText(port, where, { user, password })) ?? '');
}

/**
 * Reads the state of a program from its sessions, each with `type` and perhaps `message`. An empty list means idle, for only sessions at work
 * are listed. A session that waits to retry speaks for all: sessions of sub-agents stay busy beside it.
 */
export function stateOfSessions(
  body: unknown,
  meanings: Readonly<Record<string, StructuredState['status']>>,
): StructuredState | null {
  if (!isRecord(body)) return null;
  const all = Object.values(body).map((entry) => {
    const { type, message } = isRecord(entry) ? entry : {};
    return { status: meanings[String(type)], waitingFor: typeof message === 'string' ? message : null };
  });
  const by = (status: StructuredState['status']): StructuredState | undefined => {
    const found = all.find((one) => one.status === status);
    return found && { status, waitingFor: found.waitingFor };
  };
  if (all.some(({ status }) => status === undefined)) return null;
  return by('retrying') ?? by('waiting') ?? by('busy') ?? { status: 'idle', waitingFor: null };
}
