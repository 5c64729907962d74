/**
 * Limits that the machine's owner sets, whatever the coordinator commands. No command can change the machine's own file that holds the limits:
 * a command beyond them is refused, and worker settings beyond them are narrowed.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { Log } from '@drover/base';
import { TOOL_KINDS, TRUST_KINDS, type TrustKind } from '@drover/core';
import type { Query, WorkerSettings } from '@drover/protocol';
import { CommandError } from '../failure.ts';
import { COMMANDS } from './carry-out.ts';
import type { Confine } from './ports.ts';
import { worktreeOf } from './worktree-of.ts';

/** Most that commands may ask of this machine. `null`: the coordinator is trusted with it. Source: docs/adr/0024. */
export interface Ceilings {
  /** Absolute directories in which projects may lie; empty: any. */
  readonly roots: readonly string[];
  /** Repositories that may be cloned and merged into, and directories that hold such. */
  readonly sources: readonly string[] | null;
  /** Agent profiles that may be started. */
  readonly profiles: readonly string[] | null;
  /** Tools that agents may get without asking. */
  readonly tools: readonly string[] | null;
  /** True if agents may be started so that they do not ask. */
  readonly skipPermissions: boolean;
  /** Origins of the checks that may run here. */
  readonly checks: 'any' | 'repository' | 'none';
  /** Globs of files that may be copied into worktrees. */
  readonly copyFiles: readonly string[] | null;
  /** Kinds of trust that a project may have here. */
  readonly trust: readonly TrustKind[] | null;
  /** True if the repository's own git hooks may run. */
  readonly hooks: boolean;
  /** True if a program may run that asks people to merge a branch. */
  readonly requests: boolean;
  /** Actions of people at panes through the coordinator. */
  readonly terminals: 'type' | 'watch' | 'none';
}

/** Trusts the coordinator with everything. */
export const NO_CEILINGS: Ceilings = {
  roots: [],
  sources: null,
  profiles: null,
  tools: null,
  skipPermissions: true,
  checks: 'any',
  copyFiles: null,
  trust: null,
  hooks: true,
  requests: true,
  terminals: 'type',
};

/** Ports to compare real places, to know programs, and to log. */
interface CeilingPorts {
  /** Resolves the links of a path, as far as it exists. */
  readonly realPath: (path: string) => Promise<string>;
  /** Tells whether the worker's program runs every command unasked. */
  readonly asksNothing: (worker: WorkerSettings) => boolean;
  readonly isCaged: (worker: WorkerSettings) => boolean;
  readonly log: Log;
}

/** Binds the ceilings to this machine. Settings taken from a worker are logged once for each worker. */
export function confineTo(ceilings: Ceilings, ports: CeilingPorts): Confine {
  const told = new Map<string, string>();
  return async (worker, command) => {
    await refuseOtherRoots(ceilings, worker, ports);
    if (command.kind === 'query' && command.query.kind === 'open-terminal')
      refuseTerminal(ceilings, worker, command.query);
    const needs = command.kind === 'command' ? COMMANDS[command.command.kind].needs : needsOf(command.query);
    if (needs !== 'nothing') await refuseOtherSources(ceilings, worker, ports);
    const asksNothing = ports.asksNothing(worker);
    if (needs === 'source-and-program') {
      refuseOtherProfiles(ceilings, worker);
      if (asksNothing && !ports.isCaged(worker)) refuseUnasked(ceilings, worker);
    }
    if (needs === 'source-and-checks') refuseChecks(ceilings, worker);
    if (needs === 'source-and-set-up') refuseSetUp(ceilings, worker);
    const { narrowed, taken } = narrow(ceilings, worker, asksNothing);
    const less = `gets less than the coordinator asks for, as [agent] in drover.toml says: ${taken.join('; ')}`;
    const unasked = `works with skip_permissions, because its program "${worker.profile}" asks for no permission`;
    const words = [
      ...(taken.length > 0 ? [less] : []),
      ...(asksNothing && !worker.skipPermissions ? [unasked] : []),
    ].join(', and ');
    if (words !== '' && told.get(worker.workerId) !== words) {
      told.set(worker.workerId, words);
      ports.log('info', `"${worker.name}" ${words}`);
    }
    return narrowed;
  };
}

/** Queries that carry commits of the source, make the clone where it is missing, or read and move main. */
const OF_SOURCE: ReadonlySet<Query['kind']> = new Set<Query['kind']>([
  'pack',
  'unpack',
  'read-main',
  'publish-for',
  'keep-content',
  'settle-main',
  'run-base',
  'run-pin',
  'run-bring',
  'run-join',
]);

/** Needs of a query: `expect` announces a worker that is to be started here. */
function needsOf({ kind }: Query): 'source' | 'source-and-program' | 'source-and-checks' | 'nothing' {
  if (kind === 'check-for' || kind === 'run-check' || kind === 'run-land') return 'source-and-checks';
  if (kind === 'expect') return 'source-and-program';
  return OF_SOURCE.has(kind) ? 'source' : 'nothing';
}

/** Compares real paths: a link inside an allowed directory leads out of it. */
async function refuseOtherRoots({ roots }: Ceilings, worker: WorkerSettings, ports: CeilingPorts): Promise<void> {
  if (roots.length === 0) return;
  for (const place of [worker.project.root, worktreeOf(worker)]) {
    if (await liesIn(roots, place, ports)) continue;
    const message = `"${worker.name}" is in "${place}", where the owner of this machine does not let Drover work: see agent.allowed_roots`;
    throw new CommandError('root-not-allowed', message);
  }
}

async function refuseOtherSources({ sources }: Ceilings, worker: WorkerSettings, ports: CeilingPorts): Promise<void> {
  const { source } = worker.project;
  if (sources === null || sources.includes(source)) return;
  if (isAbsolute(source) && (await liesIn(sources.filter(isAbsolute), source, ports))) return;
  const message = `The project of "${worker.name}" comes from "${source}", which this machine's owner does not allow: see agent.allowed_sources`;
  throw new CommandError('source-not-allowed', message);
}

function refuseOtherProfiles({ profiles }: Ceilings, { name, profile }: WorkerSettings): void {
  if (profiles === null || profiles.includes(profile)) return;
  const allowed = profiles.length === 0 ? 'none' : profiles.join(', ');
  const message = `"${name}" has the profile "${profile}", but the owner of this machine allows only ${allowed}: see agent.allowed_profiles`;
  throw new CommandError('profile-not-allowed', message);
}

/** Refuses a program that cannot be told to ask: no setting narrows it. */
function refuseUnasked({ skipPermissions }: Ceilings, { name, profile }: WorkerSettings): void {
  if (skipPermissions) return;
  const message = `"${name}" cannot be started: its program "${profile}" asks for no permission, and this machine's owner wants agents that ask (agent.skip_permissions = false). Set isolation of profiles.${profile} to "bubblewrap", which lets it work in a cage, or give the worker another profile`;
  throw new CommandError('asks-nothing', message);
}

function refuseTerminal(
  { terminals }: Ceilings,
  { name }: WorkerSettings,
  { types }: { readonly types: boolean },
): void {
  if (terminals === 'type' || (terminals === 'watch' && !types)) return;
  const allows = terminals === 'watch' ? 'watched only: use "--watch"' : 'neither watched nor typed into';
  const message = `The pane of "${name}" is ${allows}, as this machine's owner says by agent.terminals = "${terminals}"`;
  throw new CommandError('terminal-not-allowed', message);
}

/** Refuses checks that the owner does not allow: work without checks must not look checked, and is not merged. */
function refuseChecks({ checks }: Ceilings, { name, project }: WorkerSettings): void {
  if (checks !== 'none' || !hasChecks(project)) return;
  const message = `The checks of "${name}" cannot run: this machine's owner allows none (agent.validate = "none"). Allow them, or take them out of the project`;
  throw new CommandError('checks-not-allowed', message);
}

/** Refuses a set-up that the owner does not allow: a place without it must not look ready, unless a person says so. */
function refuseSetUp({ checks }: Ceilings, { name }: WorkerSettings): void {
  if (checks !== 'none') return;
  const message = `The place of "${name}" cannot be set up: this machine's owner allows no commands of projects (agent.validate = "none"). Allow them, take "setup" out of [repo.worker], or start the worker without it`;
  throw new CommandError('set-up-not-allowed', message);
}

function hasChecks({ validate, validateFrom }: WorkerSettings['project']): boolean {
  return validate.length > 0 || validateFrom === 'repository';
}

function narrow(
  ceilings: Ceilings,
  worker: WorkerSettings,
  asksNothing: boolean,
): { narrowed: WorkerSettings; taken: readonly string[] } {
  const { project } = worker;
  const tools = worker.allowedTools.filter((tool) => ceilings.tools?.includes(tool) ?? true);
  const copyFiles = project.copyFiles.filter((glob) => ceilings.copyFiles?.includes(glob) ?? true);
  const isRepository = ceilings.checks === 'repository';
  // A variable can make a program run another one.
  const isBelowAny = ceilings.checks !== 'any';
  const fromRepository = isRepository && hasChecks(project);
  const untrusted = TRUST_KINDS.filter((kind) => !mayTrust(ceilings, kind));
  const distrusted = untrusted.filter((kind) => project.trust[kind] === true);
  const taken = [
    ...(worker.skipPermissions && !ceilings.skipPermissions && !asksNothing ? ['its agent asks for permissions'] : []),
    ...(tools.length < worker.allowedTools.length ? [`tools: ${tools.join(', ') || 'none'}`] : []),
    ...(copyFiles.length < project.copyFiles.length ? [`copied files: ${copyFiles.join(', ') || 'none'}`] : []),
    ...(project.runHooks && !ceilings.hooks ? ['no git hooks'] : []),
    ...(project.openRequest.length > 0 && !ceilings.requests ? ['no program that opens a request'] : []),
    ...(fromRepository && project.validateFrom === 'config' ? ['checks of the repository alone'] : []),
    ...(isBelowAny && Object.keys(worker.env).length > 0 ? ['no variables of repo.worker.env'] : []),
    ...(distrusted.length > 0 ? [`no trust in ${distrusted.join(', ')}`] : []),
    ...(isRepository && project.validateFrom === 'config' && project.workerSetup.length > 0
      ? ['no set-up of its place, unless the repository says it']
      : []),
  ];
  const narrowed: WorkerSettings = {
    ...worker,
    skipPermissions: asksNothing || (worker.skipPermissions && ceilings.skipPermissions),
    allowedTools: tools,
    env: isBelowAny ? {} : worker.env,
    project: {
      ...project,
      copyFiles,
      runHooks: project.runHooks && ceilings.hooks,
      openRequest: ceilings.requests ? project.openRequest : [],
      trust: { ...project.trust, ...Object.fromEntries(untrusted.map((kind) => [kind, false])) },
      ...(isRepository && { workerSetup: [] }),
      ...(fromRepository && { validate: [], validateFrom: 'repository' as const }),
    },
  };
  return { narrowed, taken };
}

/** Tells whether a project may have this trust here. A tool runs commands of the project, as its set-up does. */
function mayTrust({ trust, checks }: Ceilings, kind: TrustKind): boolean {
  const isOfTool = TOOL_KINDS.some((tool) => tool === kind);
  return (trust?.includes(kind) ?? true) && (checks === 'any' || !isOfTool);
}

async function liesIn(directories: readonly string[], path: string, { realPath }: CeilingPorts): Promise<boolean> {
  const place = await realPath(path);
  const allowed = await Promise.all(directories.map(realPath));
  return allowed.some((directory) => isWithin(directory, place));
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
