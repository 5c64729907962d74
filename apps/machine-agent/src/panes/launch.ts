/** Makes the command words of a coding agent from the profile's template; no part of it is a shell string. */
import { dirname } from 'node:path';
import { RESULT_VARIABLE, TOOL_POLICY_VARIABLE } from '@drover/core';
import type { Launch } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import type { PaneProgram } from '@drover/tmux';
import type { Address } from '../channels/address.ts';
import { UNSET } from '../cage/mounts.ts';
import type { AgentProfile } from './agent-profile.ts';

/** Values for the template. */
interface LaunchFacts {
  readonly settings: WorkerSettings;
  readonly launch: Launch;
  /** Id of the conversation in a program that chooses it itself; null: it is not known. */
  readonly programId: string | null;
  /** Absolute path of the worktree. */
  readonly cwd: string;
  /** Settings file of the worker alone; null when the profile takes none. */
  readonly settingsFile: string | null;
  /** File in which `drover hook`, called in this session, records failed tools. */
  readonly failuresFile: string;
  /** File in which `drover`, called in this session, finds the coordinator and the worker's token. */
  readonly accessFile: string;
  /** Directory in which the agent of a run's task leaves its result. */
  readonly results: string;
  /** PATH on which it finds `drover`; null: the one that it has. */
  readonly searchPath: string | null;
  /** Address at which the program must let a second client in; null: none may. */
  readonly address: Address | null;
  /** Command words before the program, which put it into a cage; none without a cage. */
  readonly cage: readonly string[];
}

/** Names the file of a worker's access, which no other worker has. */
export const ACCESS_VARIABLE = 'DROVER_WORKER_FILE';

/** Program of a worker's pane. */
export function paneProgram(agent: AgentProfile, facts: LaunchFacts): PaneProgram {
  const { settings } = facts;
  const { unset } = agent.profile.launch.env;
  const { channel, settingsVariable } = agent.profile.launch;
  const started =
    channel?.kind === 'codex' && facts.address?.kind === 'socket'
      ? serverAndClient(agent, channel, { ...facts, socket: facts.address.path })
      : [...agent.program, ...launchArgs(agent, facts), ...agent.args];
  return {
    cwd: facts.cwd,
    argv: [...facts.cage, ...started],
    env: {
      // A place that lost its .git may lie inside another repository, which its agent must not commit to.
      GIT_CEILING_DIRECTORIES: dirname(facts.cwd),
      ...(settingsVariable !== null && facts.settingsFile !== null && { [settingsVariable.name]: facts.settingsFile }),
      ...settings.env,
      ...agent.env,
      ...(facts.searchPath !== null && { PATH: facts.searchPath }),
      DROVER_WORKER: settings.name,
      DROVER_ROOT: settings.project.root,
      [ACCESS_VARIABLE]: facts.accessFile,
      DROVER_TOOL_FAILURES: facts.failuresFile,
      [RESULT_VARIABLE]: facts.results,
      ...(settings.toolPolicy !== undefined && { [TOOL_POLICY_VARIABLE]: settings.toolPolicy }),
      ...channelEnv(agent, facts.address),
    },
    unsetEnv: [...unset, ...(facts.cage.length > 0 ? UNSET : [])],
  };
}

/**
 * Runs a server in the background, and again if it ends, as long as this shell's process lives; that becomes the client as soon as the server
 * listens. Arguments: the socket, the number of the client's words, the words of the client, and those of the server.
 */
const SERVER_AND_CLIENT = `socket=$1 count=$2
shift 2
serve() {
  shift $((count))
  while kill -0 $$ 2>/dev/null; do
    "$@" </dev/null >/dev/null 2>&1
    sleep 1
  done
}
serve "$@" &
tries=0
while [ ! -S "$socket" ] && [ $tries -lt 200 ]; do
  tries=$((tries + 1))
  sleep 0.05
done
at=0 all=$#
for word do
  at=$((at + 1))
  [ $at -gt $count ] || set -- "$@" "$word"
done
shift $all
exec "$@"`;

interface SocketFacts extends LaunchFacts {
  readonly socket: string;
}

/** Words of a pane with a server and the screen that is its client, which both know the socket. */
function serverAndClient(
  { profile, program: words }: AgentProfile,
  channel: Extract<Profile['launch']['channel'], { kind: 'codex' }>,
  facts: SocketFacts,
): readonly string[] {
  const { settings, launch, socket, results } = facts;
  const program = words.filter((word) => !channel.without.includes(word));
  const permissions = settings.skipPermissions ? 'skip' : 'ask';
  const client = [
    ...program,
    ...conversationArgs(profile, facts),
    ...fill(channel.client, 'socket', socket),
    // A screen that begins a conversation decides its sandbox; one that takes it up may not.
    ...(launch.kind === 'fresh' ? profile.launch.permissions[permissions] : []),
  ];
  const server = [
    ...program,
    ...fill(channel.server, 'socket', socket),
    ...fill(channel.model, 'model', settings.model),
    ...channel.permissions[permissions],
    ...fill(channel.results, 'directory', results),
  ];
  return ['sh', '-c', SERVER_AND_CLIENT, 'sh', socket, String(client.length), ...client, ...server];
}

function launchArgs({ profile }: AgentProfile, facts: LaunchFacts): readonly string[] {
  const { settings, settingsFile, results, address } = facts;
  const { model, permissions, allowedTools, settings: hooks, channel } = profile.launch;
  const port = channel?.kind === 'opencode' && address?.kind === 'port' ? channel.args : null;
  return [
    ...conversationArgs(profile, facts),
    ...fill(model, 'model', settings.model),
    ...(settings.skipPermissions ? permissions.skip : permissions.ask),
    ...fill(allowedTools, 'tools', settings.allowedTools.length === 0 ? null : settings.allowedTools.join(',')),
    ...fill(hooks, 'file', settingsFile),
    ...fill(profile.launch.results.args, 'directory', results),
    ...fill(port, 'port', address?.kind === 'port' ? String(address.port) : null),
  ];
}

/** Passes the password in the environment, which other users of the machine cannot read; arguments they can. */
function channelEnv({ profile }: AgentProfile, address: Address | null): Readonly<Record<string, string>> {
  const { channel } = profile.launch;
  if (channel?.kind !== 'opencode' || address?.kind !== 'port') return {};
  const filled = Object.entries(channel.env).map(([name, value]) => [
    name,
    value.replaceAll('{password}', () => address.password),
  ]);
  return Object.fromEntries(filled);
}

/**
 * Arguments for the conversation. Where the program chooses its id and nobody has told Drover, the latest of the worktree is taken up: another
 * agent that somebody started there may have begun a later one.
 */
function conversationArgs(
  { launch: template }: Profile,
  { launch, programId }: Pick<LaunchFacts, 'launch' | 'programId'>,
): readonly string[] {
  if (launch.kind === 'fresh') return fill(template.session, 'session', launch.conversation);
  if (template.session !== null) return fill(template.resume, 'session', launch.conversation);
  const isKnown = programId !== null && template.resume !== null;
  return isKnown ? fill(template.resume, 'session', programId) : (template.resumeLast ?? []);
}

function fill(template: readonly string[] | null, name: string, value: string | null): readonly string[] {
  if (template === null || value === null) return [];
  return template.map((word) => word.replaceAll(`{${name}}`, () => value));
}
