/**
 * How does a program that serves its own state over HTTP do so for this machine agent alone, and what does it say?
 * Each start gets a port of the loopback address and a password, which stand in a file of the worker: an agent that is
 * started anew still finds the program.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Profile, StructuredState } from '@drover/screen';
import { z } from 'zod';
import { freePort, getText } from './loopback-adapter.ts';
import { isRecord, parsedLine } from './transcript.ts';

const service = z.object({ port: z.number().int(), password: z.string() });

/** Where a program serves its state. */
export type Service = z.infer<typeof service>;

/** A path and nothing that could lead to another host. */
const PATH = /^\/(?!\/)/u;

/** The file of a worker's service, whether or not it exists. */
export function serviceFile(dataDir: string, workerId: string): string {
  return join(dataDir, 'hooks', `${workerId}.service.json`);
}

/** Chooses where a program that is about to start shall serve; null when its profile serves nothing. */
export async function offerService(
  path: string,
  { launch }: Profile,
  newSecret: () => string,
): Promise<Service | null> {
  if (launch.serve === null) return null;
  const offered = { port: await freePort(), password: newSecret() };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify(offered), { mode: 0o600 });
  return offered;
}

/** Asks the program for its state. @returns null when it does not answer, or with nothing that the profile knows. */
export async function askService(path: string, { launch, signals }: Profile): Promise<StructuredState | null> {
  const { structured } = signals;
  if (launch.serve === null || structured?.kind !== 'http' || !PATH.test(structured.where)) return null;
  const { user } = launch.serve;
  const found = service.safeParse(parsedLine(await readFile(path, 'utf8').catch(() => '')));
  if (!found.success) return null;
  const { port, password } = found.data;
  const text = await getText(`http://127.0.0.1:${port}${structured.where}`, { user, password });
  return text === undefined ? null : stateOfSessions(parsedLine(text), structured.status);
}

/**
 * What a program says of its sessions, each with `type` and perhaps `message`. It lists only those that are at work, so that an
 * empty list means idle. One that waits to retry speaks for all: those of sub-agents stay busy beside it.
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
