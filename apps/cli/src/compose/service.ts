/** Installs, inspects or removes the service of this machine's agent. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLocalHost } from '@drover/host';
import { agentDirectory, AgentDirectoryError, joinedUrl } from '@drover/machine-agent';
import { machinePaths } from '@drover/config/surroundings';
import { CommandError } from '../exit-codes.ts';
import { launchdService } from '../service/launchd.ts';
import type { Running, Service, ServiceParts } from '../service/service.ts';
import { isThere, perform, runningOf } from '../service/steps.ts';
import { systemdService } from '../service/systemd.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';

/** Variables that name Drover's directories. No secret is among them. */
const PLACES = ['DROVER_DATA_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** The result of an action on the service. */
export interface ServiceOutcome {
  readonly file: string;
  readonly installed: boolean;
  readonly running: Running | null;
  readonly message: string;
}

/** @throws {CommandError} with advice: no service manager, the machine has not joined, a command that failed. */
export async function actOnService(
  surroundings: Surroundings,
  action: 'install' | 'status' | 'uninstall',
): Promise<ServiceOutcome> {
  const { environment, terminal } = surroundings;
  const service = serviceOf(surroundings);
  const host = createLocalHost({ env: environment.variables });
  if (action === 'install') {
    await needJoined(surroundings, async () => (await runningOf(host, service)) !== null);
    await write(service);
    for (const step of service.install) await perform(host, step, (warning) => terminal.err(warning));
    const running = await runningOf(host, service);
    const message = `${service.file} keeps the agent running${running === null ? ', and it is starting: "drover machine service status"' : ` (process ${running.pid})`}.`;
    return { file: service.file, installed: true, running, message };
  }
  const installed = await isThere(service.file);
  if (action === 'status') {
    const running = installed ? await runningOf(host, service) : null;
    return { file: service.file, installed, running, message: told(service.file, { installed, running }) };
  }
  if (!installed)
    return { file: service.file, installed, running: null, message: 'No Drover service is installed here.' };
  for (const step of service.uninstall) await perform(host, step, (warning) => terminal.err(warning));
  await rm(service.file, { force: true });
  const message = `Removed ${service.file} and stopped the agent. Panes keep running: "drover server agent" finds them again.`;
  return { file: service.file, installed: false, running: null, message };
}

function told(file: string, { installed, running }: Pick<ServiceOutcome, 'installed' | 'running'>): string {
  if (!installed) return 'No Drover service is installed here: "drover machine service install" installs it.';
  if (running === null)
    return `${file} is installed, but the agent is not running: "drover machine service install" starts it.`;
  return `${file} runs the agent (${running.state}, process ${running.pid}).`;
}

/** Describes the service of this user, installed or not. @throws {CommandError} if Drover knows no service manager. */
export function serviceOf({ environment }: Surroundings): Service {
  const { variables, home, uid } = environment;
  const parts: ServiceParts = {
    program: programWords(),
    searchPath: variables['PATH'] ?? '',
    variables: Object.fromEntries(
      PLACES.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
    ),
    home,
    configHome: variables['XDG_CONFIG_HOME'] ?? path.join(home, '.config'),
    user: os.userInfo().username,
    uid: uid ?? 0,
    version: VERSION,
  };
  if (process.platform === 'linux') return systemdService(parts);
  if (process.platform === 'darwin') return launchdService(parts);
  throw new CommandError(
    'environment',
    `Drover supports no service manager on ${process.platform}: run "drover server agent" with your own`,
  );
}

/** Returns the script of the package or of the checkout, which finds its Node; else the bundle that runs now. */
function programWords(): readonly string[] {
  const [node, program] = process.argv;
  if (node === undefined || program === undefined) throw new CommandError('internal', 'no program runs');
  const isOfScript = path.basename(program) === 'drover.mjs';
  return isOfScript ? [path.join(path.dirname(program), 'drover')] : [node, program];
}

async function needJoined({ environment }: Surroundings, isServed: () => Promise<boolean>): Promise<void> {
  const { dataDir } = machinePaths({ env: environment, platform: process.platform });
  try {
    if (joinedUrl(agentDirectory(dataDir)) !== null) return;
  } catch (error) {
    // The running agent may be the service's own, which is restarted; another agent would keep it from starting.
    if (error instanceof AgentDirectoryError && error.code === 'in-use' && (await isServed())) return;
    throw error;
  }
  const message = 'This machine has not joined a fleet: run "drover machine join URL --token-file FILE" first';
  throw new CommandError('refused', message);
}

async function write({ file, text }: Service): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
