/** Examines everything whose lack would cost a night: the agent program, its login, and programs that show or keep work. For `init` and `doctor`. */
import path from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- for commands of a person, on the machine of that person
import { createLocalHost, type Host } from '@drover/host';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { ASKED, type Environment, type Login, LOGINS } from './host/logins.ts';
import { versionLine } from './host/version-line.ts';
import { installHint, type Finding } from './local-project.ts';

/** Profile that workers are started with, and its settings in drover.toml. */
export interface AgentWanted {
  readonly profile: string;
  /** Replaces the profile's own program. */
  readonly program?: readonly string[] | undefined;
  /** Adds to the environment of its workers. */
  readonly env?: Environment | undefined;
}

/**
 * Examines whether the agent program is installed and logged in. Finds nothing for a profile that the build does not know, or for the
 * simulated agent.
 */
export async function examineAgent(env: Environment, wanted: AgentWanted): Promise<readonly Finding[]> {
  const own = BUILT_IN_PROFILES.get(wanted.profile);
  const login = LOGINS[wanted.profile];
  if (own === undefined || login === undefined) return [];
  const [program = own.launch.program, ...args] = wanted.program ?? [];
  const variables = { ...env, ...wanted.env };
  const what = `agent ${wanted.profile}`;
  const host = createLocalHost({ env: variables });
  const version = await versionLine(host, program, [...args, '--version']);
  if (version === null) {
    const says = `the program "${program}" is missing or does not start: install it, or name it in profiles.${wanted.profile}.program`;
    return [{ what, ok: false, says }];
  }
  return [
    { what, ok: true, says: `${program} ${version}` },
    await examineLogin(host, login, { variables, profile: wanted.profile }),
  ];
}

/** Examines the login. macOS keeps logins where only their program can look: there a missing file says nothing. */
async function examineLogin(
  host: Host,
  { files, variables: names, how }: Login,
  { variables, profile }: { readonly variables: Environment; readonly profile: string },
): Promise<Finding> {
  const what = `login of ${profile}`;
  const named = names.find((name) => (variables[name] ?? '') !== '');
  if (named === ASKED)
    return {
      what,
      ok: true,
      says: `by the variable ${named}, which workers use after "drover project trust PROJECT api-key"`,
    };
  if (named !== undefined) return { what, ok: true, says: `by the variable ${named}` };
  const home = variables['HOME'] ?? '';
  for (const file of files)
    if ((await host.stat(path.join(home, file)).catch(() => undefined)) !== undefined)
      return { what, ok: true, says: `in ~/${file}` };
  if ((await host.facts()).platform === 'darwin')
    return { what, ok: true, says: 'kept by macOS, which shows it only to its program' };
  return { what, ok: false, says: `none was found (~/${files.join(', ~/')}): ${how}, or every worker asks for it` };
}

/** Examines optional programs: `difft` for reviews. */
export async function examineHelpers(env: Environment): Promise<readonly Finding[]> {
  const difft = await versionLine(createLocalHost({ env }), 'difft', ['--version']);
  const missing = `"drover review --interface difftastic" cannot be used: ${installHint('difftastic')}`;
  return [{ what: 'difftastic', ok: difft !== null, says: difft ?? missing }];
}
