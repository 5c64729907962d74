/** Resolves a name by the user's own configuration of ssh. Asks `ssh -G`: no library reads Include and Match as it does. */
import type { ProgramRunner } from '../../host.ts';
import { ConnectError } from './errors.ts';

/** Milliseconds for the answer: `Match exec` may run a program. */
const RESOLVE_MS = 10_000;

/** Destination in a person's words. */
export interface Destination {
  /** `user@host`, a host, or a name of the configuration. */
  readonly name: string;
  readonly port?: number | undefined;
  /** The file of a private key. */
  readonly identity?: string | undefined;
  /** A host, or several with commas, through which the way leads. */
  readonly jump?: string | undefined;
  /** A configuration file in place of the user's and the system's. */
  readonly configFile?: string | undefined;
}

/** Destination as ssh resolves it. */
export interface Resolved {
  readonly destination: Destination;
  readonly host: string;
  readonly user: string;
  readonly port: number;
  /** Identity that a person gave; undefined: none was given. `ssh -G` leaves it out where it is not there. */
  readonly givenIdentity: string | undefined;
  readonly identityFiles: readonly string[];
  /** Certificates of the user that the configuration names. */
  readonly certificateFiles: readonly string[];
  /** The socket of an agent; undefined where none is used. */
  readonly agent: string | undefined;
  /** Tells whether only the identity files count, and not what else the agent has. */
  readonly identitiesOnly: boolean;
  readonly jump: string | undefined;
  /** A command whose output and input is the way to the server. */
  readonly proxyCommand: string | undefined;
  readonly knownHostsFiles: readonly string[];
  /** Name of the host in the files of known hosts. */
  readonly knownName: string;
}

/** The options and the destination, as on the command line of ssh. */
export function commandLine({ name, port, identity, jump, configFile }: Destination): readonly string[] {
  return [
    ...(configFile === undefined ? [] : ['-F', configFile]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(identity === undefined ? [] : ['-i', identity]),
    ...(jump === undefined ? [] : ['-J', jump]),
    '--',
    name,
  ];
}

/** @throws ConnectError `misconfigured` in the words of ssh. */
export async function resolveDestination(
  local: Pick<ProgramRunner, 'run'>,
  destination: Destination,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Resolved> {
  // A name that begins with "-" would be an option, whatever stands before it on some versions.
  if (!/^[^\s-][^\s]*$/u.test(destination.name)) {
    const message = `"${destination.name}" is not a destination: expected user@host, or a name of ~/.ssh/config`;
    throw new ConnectError('misconfigured', message);
  }
  const outcome = await local.run('ssh', ['-G', ...commandLine(destination)], { timeoutMs: RESOLVE_MS });
  if (outcome.status !== 0) {
    const words = outcome.timedOut ? 'it took more than 10 s' : outcome.stderr.trim();
    throw new ConnectError('misconfigured', `ssh cannot say where "${destination.name}" leads: ${words}`);
  }
  const lines = outcome.stdout.split('\n').map((line) => /^(\S+) (.*)$/u.exec(line) ?? []);
  const all = (key: string): string[] => lines.flatMap(([, found, value = '']) => (found === key ? [value] : []));
  const one = (key: string): string | undefined => all(key).find((value) => value !== 'none');
  const home = (path: string): string => path.replace(/^~(?=\/)/u, env['HOME'] ?? '~');
  const host = one('hostname') ?? destination.name;
  const port = Number(one('port') ?? 22);
  const known = one('hostkeyalias') ?? host;
  const agent = all('identityagent')[0];
  return {
    destination,
    host,
    user: one('user') ?? '',
    port,
    givenIdentity: destination.identity === undefined ? undefined : home(destination.identity),
    identityFiles: all('identityfile').map(home),
    certificateFiles: all('certificatefile').map(home),
    agent:
      agent === 'none'
        ? undefined
        : agent === undefined || agent === 'SSH_AUTH_SOCK'
          ? env['SSH_AUTH_SOCK']
          : home(agent),
    identitiesOnly: one('identitiesonly') === 'yes',
    jump: one('proxyjump'),
    proxyCommand: one('proxycommand'),
    knownHostsFiles: [...all('userknownhostsfile'), ...all('globalknownhostsfile')]
      .flatMap((files) => files.split(' '))
      .filter((file) => file !== '' && file !== 'none')
      .map(home),
    knownName: port === 22 ? known : `[${known}]:${port}`,
  };
}
