/** Lists and ends sessions that a coding agent keeps in the background, by the program itself: its daemon starts an ended process again. */
import type { Host } from '@drover/host';
import { z } from 'zod';
import type { AgentProfile } from '../agent-profile.ts';

/** Milliseconds for the program to list its sessions, or to end one. */
const CALL_MS = 15_000;

/** Session in the background. */
export interface BackgroundSession {
  /** Directory in which it works. */
  readonly directory: string;
  /** Its process; null: its daemon is about to start it again. */
  readonly pid: number | null;
  /** Words for people. */
  readonly what: string;
  /** Command that ends it. */
  readonly end: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The program's own words. Unknown fields do not matter. */
const said = z.array(
  z.object({
    id: z.string(),
    cwd: z.string(),
    kind: z.string(),
    pid: z.number().optional(),
    state: z.string().optional(),
  }),
);

/** Tells whether a command line is that of the daemon which keeps the sessions of this profile. */
export function isDaemonOf({ profile }: AgentProfile, line: string): boolean {
  return profile.launch.background !== null && `${line} `.includes(` ${profile.launch.background.daemon} `);
}

/** Lists the living sessions of all programs whose daemon runs. A program that fails, or says something else, has none. */
export async function backgroundSessions(
  host: Host,
  agents: readonly AgentProfile[],
  lines: readonly string[],
): Promise<readonly BackgroundSession[]> {
  const running = agents.filter((agent) => lines.some((line) => isDaemonOf(agent, line)));
  return (await Promise.all(running.map(async (agent) => sessionsOf(host, agent)))).flat();
}

async function sessionsOf(host: Host, { profile, program, env }: AgentProfile): Promise<readonly BackgroundSession[]> {
  const [file = '', ...first] = program;
  const ways = profile.launch.background;
  if (ways === null) return [];
  const call = { env, timeoutMs: CALL_MS };
  const ran = await host.run(file, [...first, ...ways.list], call).catch(() => undefined);
  const listed = said.safeParse(parsed(ran?.stdout ?? ''));
  return (listed.data ?? [])
    .filter(({ kind, pid, state }) => kind === 'background' && (pid !== undefined || state === 'working'))
    .map(({ id, cwd, pid }) => ({
      directory: cwd,
      pid: pid ?? null,
      what: `background session ${id} of ${profile.name}`,
      end: [...program, ...ways.stop.map((word) => word.replaceAll('{id}', id))],
      env,
    }));
}

/** Ends a session. A failure shows at the next look. */
export async function endSession(host: Host, { end: [file = '', ...args], env }: BackgroundSession): Promise<void> {
  await host.run(file, args, { env, timeoutMs: CALL_MS }).catch(() => undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
