/**
 * Upgrades the package of this machine: the agent of the new version must reach the coordinator before it replaces the
 * previous version; if the new version then does not run, the previous one comes back. Panes go on all the while.
 */
import { realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '@drover/host';
import { CommandError } from '../exit-codes.ts';
import type { Service } from './service.ts';
import { isThere, perform, runningOf } from './steps.ts';

/** Milliseconds that npm may unpack, and that the new agent may need for a hello and an answer. */
const INSTALL_MS = 300_000;
const TRIAL_MS = 90_000;
const ASK_MS = 20_000;
/** Number of a failed program's last lines in the message: the very last one is often only advice. */
const WHY_LINES = 3;

/** Parts of an upgrade. */
export interface Upgrade {
  readonly host: Host;
  /** The directory of the installed package, as npm made it. */
  readonly root: string;
  /** The file of the new version. */
  readonly file: string;
  /** The service of the agent; null: no service is installed, and a person starts the agent. */
  readonly service: Service | null;
  readonly warn: (text: string) => void;
}

/** The versions, and the state of the service with the new one. */
export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly isServed: boolean;
}

/** Finds the running package, from the script that started it. @throws {CommandError} if npm did not install it. */
export async function installedPackage(script: string | undefined): Promise<string> {
  const root = script === undefined ? '' : path.dirname(path.dirname(await realpath(script)));
  if (path.basename(path.dirname(root)) === 'node_modules' && (await isThere(path.join(root, 'runtime', 'node'))))
    return root;
  throw new CommandError(
    'refused',
    'npm did not install this drover, so this command cannot upgrade it: in a checkout use git, then "drover machine service install"',
  );
}

/** @throws {CommandError} if the previous version is back in its place, with the reason. */
export async function upgrade(parts: Upgrade): Promise<Upgraded> {
  const { host, root, file, service, warn } = parts;
  const stage = path.join(path.dirname(root), '.drover-upgrade');
  await rm(stage, { recursive: true, force: true });
  try {
    const words = ['install', '--global', file, '--prefix', stage, '--no-audit', '--no-fund', '--loglevel=error'];
    await done(host, { program: 'npm', words, timeoutMs: INSTALL_MS, action: `install ${file}` });
    const staged = path.join(stage, 'lib', 'node_modules', 'drover');
    const [from, to] = [await versionOf(host, root), await versionOf(host, staged)];
    const stopped = service !== null && (await runningOf(host, service)) !== null ? service : null;
    if (stopped !== null) await perform(host, stopped.stop, warn);
    try {
      await tryAgent(parts, staged, to);
      await swap({ root, staged, before: path.join(stage, 'before') });
      if (stopped !== null) await serveOrGoBack(parts, { stopped, staged, before: path.join(stage, 'before') });
    } catch (error) {
      if (stopped !== null) await perform(host, stopped.start, warn);
      throw error;
    }
    return { from, to, isServed: stopped !== null };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Tries the new agent, which has the journal and the panes of this machine meanwhile, so no other agent may run. */
async function tryAgent({ host, service }: Upgrade, staged: string, version: string): Promise<void> {
  const program = path.join(staged, 'bin', 'drover');
  // Started like its service starts it: tmux servers that it opens outlive this shell.
  const scope = service !== null && process.platform === 'linux' ? ['--tmux-scope'] : [];
  const words = ['server', 'agent', '--until-connected', ...scope];
  const action = `reach the coordinator with the agent of ${version}, so the present version stays`;
  await done(host, { program, words, timeoutMs: TRIAL_MS, action });
}

interface Places {
  readonly root: string;
  readonly staged: string;
  readonly before: string;
}

async function swap({ root, staged, before }: Places): Promise<void> {
  await rename(root, before);
  try {
    await rename(staged, root);
  } catch (error) {
    await rename(before, root);
    throw error;
  }
}

async function serveOrGoBack(
  { host, root }: Upgrade,
  { stopped, staged, before }: { readonly stopped: Service; readonly staged: string; readonly before: string },
): Promise<void> {
  const program = path.join(root, 'bin', 'drover');
  const words = ['machine', 'service', 'install'];
  try {
    await done(host, { program, words, timeoutMs: TRIAL_MS, action: 'start the service of the new version' });
    if ((await runningOf(host, stopped)) === null)
      throw new CommandError('environment', 'The service of the new version is not running');
  } catch (error) {
    await swap({ root, staged: before, before: staged });
    throw error;
  }
}

async function versionOf(host: Host, root: string): Promise<string> {
  const program = path.join(root, 'bin', 'drover');
  const said = await done(host, { program, words: ['--version'], timeoutMs: ASK_MS, action: 'ask for the version' });
  return said.trim();
}

interface Step {
  readonly program: string;
  readonly words: readonly string[];
  readonly timeoutMs: number;
  /** Completes the sentence "Cannot …". */
  readonly action: string;
}

async function done(host: Host, { program, words, timeoutMs, action }: Step): Promise<string> {
  const ended = await host.run(program, words, { timeoutMs }).catch((cause: unknown) => {
    throw new CommandError('environment', `Cannot ${action}: ${String(cause)}`, { cause });
  });
  if (ended.status === 0) return ended.stdout;
  const said = (ended.stderr.trim() || ended.stdout.trim()).split('\n').slice(-WHY_LINES).join('; ');
  const why = ended.timedOut ? `it took longer than ${timeoutMs / 1000} s; ${said}` : said;
  throw new CommandError('environment', `Cannot ${action}: ${why}`);
}
