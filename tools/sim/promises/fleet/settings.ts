// Checks the promises about settings: what a worker runs with is what `drover worker show` says, and each change reaches it when it should.
import { policyInForce } from '@drover/coordinator/testing';
import { canonical } from '@drover/core';
import type { Policy } from '@drover/core';
import type { ConfiguredOptions, LiveOptions, Project, StartedWith, WorkerRow } from '@drover/store';
import type { CommandRecord, EventRecord, MemoryDatabase } from '@drover/store/testing';
import { makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';

const PROMISED = {
  shown: 'an agent runs with what "drover worker show" says',
  start: 'the next start of an agent has the settings of that moment',
  text: 'the next task has the role prompt of that moment',
  checks: 'checks are those of the project at once',
  policy: 'a decision goes by the policy of the project at once',
  pool: 'the queue gives nothing to a worker that is out of the pool',
  follows: 'a worker follows the configuration in what no person said of it',
} as const;

/** A transaction that began before a change may commit after it: so long it may go by the former settings, in milliseconds. */
const UNDER_WAY_MS = 20_000;

const STARTED = ['profile', 'model', 'skipPermissions', 'allowedTools', 'sessionWidth', 'sessionHeight'] as const;
type Started = Pick<StartedWith, (typeof STARTED)[number]>;

/** A project as it was until some moment. */
interface Former {
  readonly project: Project;
  readonly until: number;
}

export interface SettingsParts {
  readonly database: MemoryDatabase;
  readonly tally: Tally;
  readonly policy: Policy;
  readonly now: () => number;
  /** Defaults in the coordinator's configuration. */
  readonly defaults: ConfiguredOptions;
}

/** Watches one schedule. */
export class SettingsChecks {
  readonly #parts: SettingsParts;
  /** Settings that the agent of each incarnation was started with. */
  readonly #started = new Map<string, string>();
  readonly #projects = new Map<string, Project>();
  readonly #former = new Map<string, Former[]>();
  readonly #given = new Set<string>();
  readonly #check: Check<typeof PROMISED>;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
    this.#check = makeCheck(this.#parts.tally, PROMISED);
  }

  /** An agent was started in a pane. */
  started(incarnation: string, settings: Started): void {
    this.#started.set(incarnation, settingsOf(settings));
  }

  /** Runs after each commit, before anything else of it is looked at. */
  committed(): void {
    const { database, now } = this.#parts;
    for (const project of database.projects.values()) {
      const before = this.#projects.get(project.id);
      this.#projects.set(project.id, project);
      if (before === undefined || before.config === project.config) continue;
      const former = (this.#former.get(project.id) ?? []).filter(({ until }) => now() - until <= UNDER_WAY_MS);
      this.#former.set(project.id, [...former, { project: before, until: now() }]);
    }
    for (const command of database.outbox.values()) this.#checkCommand(command);
  }

  /** A row was written. */
  checkRow({ name, options: { started }, state: { session } }: WorkerRow): void {
    const { pane } = session;
    if (started === undefined || pane.kind !== 'up' || pane.incarnation !== started.incarnation) return;
    const really = this.#started.get(started.incarnation);
    // Another machine says that such an agent runs.
    if (really === undefined) return;
    const shown = settingsOf(started);
    this.#check('shown', really === shown, `${name}: runs with ${really}, and is shown with ${shown}`);
  }

  /** A decision was stored. */
  checkDecision({ workerId, workerName, event, reply, decided }: EventRecord): void {
    const { database, policy } = this.#parts;
    const row = database.workers.get(workerId);
    if (row === undefined) return;
    if (decided !== null) {
      const versions = this.#recent(row.projectId).map((one) => policyInForce({ policy }, one, workerName).version);
      this.#check('policy', versions.includes(decided.policy), `${workerName}: a decision goes by a former policy`);
    }
    if (event.kind !== 'start-requested' || reply.kind === 'refused' || isBroughtBack(database, workerId, event.taskId))
      return;
    const { rolePrompt, excludedFromPool } = row.options;
    this.#check(
      'text',
      event.text.includes(rolePrompt),
      `${workerName}: its task has not the role prompt "${rolePrompt}"`,
    );
    const isOfQueue = [...database.queueItems.values()].some(({ taskId }) => taskId === event.taskId);
    if (isOfQueue) this.#check('pool', !excludedFromPool, `${workerName}: takes an item, and is out of the pool`);
  }

  /** Checks the fleet when everything has come to rest. */
  checkRest(): void {
    const { database, defaults } = this.#parts;
    for (const { name, projectId, options } of database.workers.values()) {
      const workers = database.projects.get(projectId)?.config.workers;
      const said = workers?.named[name] ?? workers?.defaults ?? defaults;
      const { own = {}, role = 'developer', ...rest } = options;
      const now: Readonly<Record<string, unknown>> = { ...rest, role };
      const all = liveOf({ ...said, ...own });
      for (const [key, value] of Object.entries(all)) {
        const [is, should] = [canonical(now[key] ?? null), canonical(value)];
        this.#check('follows', is === should, `${name}: its ${key} is ${is}, and ${should} is configured`);
      }
    }
  }

  #checkCommand({ id, workerId, body, settings }: CommandRecord): void {
    if (this.#given.has(id)) return;
    this.#given.add(id);
    const row = this.#parts.database.workers.get(workerId);
    if (row === undefined || body.kind !== 'command') return;
    const { kind } = body.command;
    if (kind === 'open' || kind === 'respawn') {
      const [given, now] = [settingsOf(settings), settingsOf(row.options)];
      this.#check('start', given === now, `${row.name}: is started with ${given}, and its settings are ${now}`);
    }
    if (kind !== 'validate') return;
    const checks = canonical(settings.project.validate);
    const recent = this.#recent(row.projectId).map(({ config }) => canonical(config.validate));
    this.#check(
      'checks',
      recent.includes(checks),
      `${row.name}: is checked by ${checks}, and the project has ${recent[0]}`,
    );
  }

  /** The project as it is, and as those saw it who may be under way still. */
  #recent(projectId: string): readonly Project[] {
    const { database, now } = this.#parts;
    const project = database.projects.get(projectId);
    const former = (this.#former.get(projectId) ?? []).filter(({ until }) => now() - until <= UNDER_WAY_MS);
    return [...(project === undefined ? [] : [project]), ...former.map((one) => one.project)];
  }
}

/** Returns the settings that can be changed for an existing worker. */
function liveOf({
  model,
  skipPermissions,
  allowedTools,
  sessionWidth,
  sessionHeight,
  ...rest
}: ConfiguredOptions): LiveOptions {
  const { rolePrompt, role, excludedFromPool } = rest;
  return { model, skipPermissions, allowedTools, sessionWidth, sessionHeight, rolePrompt, role, excludedFromPool };
}

function settingsOf(settings: Started): string {
  return canonical(Object.fromEntries(STARTED.map((key) => [key, settings[key]])));
}

/** A task that it had before comes with the words of then. */
function isBroughtBack({ events }: MemoryDatabase, workerId: string, taskId: string): boolean {
  const its = [...events.values()].filter((one) => one.workerId === workerId);
  const at = its.findIndex(({ event }) => event.kind === 'start-requested' && event.taskId === taskId);
  return its[at + 1]?.event.kind === 'restore-requested';
}
