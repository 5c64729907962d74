/**
 * Follows the configuration of a Drover root while the coordinator runs: its project, and the options of workers of projects without a
 * document of their own. Reads the configuration every few seconds, and refuses a broken one.
 */
import { canonical, policyDifferences } from '@drover/core';
import type { NewProject, ProjectPolicy, WorkerOptions } from '@drover/store';
import type { Context } from '../context/context.ts';
import { policyOfDocuments } from '../facts/policies/in-force.ts';
import { applyDocument, followedText } from '../use-cases/projects/apply.ts';
import { followAll } from '../loop/subjects/live.ts';

/** Milliseconds between reads of the document: a person who has just saved it reads the log at once. */
const READ_EVERY_MS = 2_000;

/** Content of the document, or everything that is wrong with it, one sentence each with file, key and the expected value. */
export type PolicyReading =
  | {
      readonly kind: 'read';
      /** Content of the document for the project, except source and branch. */
      readonly config: NewProject['config'];
      /** Returns the options of a worker of this name, in a project without a document of its own. */
      readonly says: (name: string) => WorkerOptions;
    }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

export interface WatchParts {
  /** Project as it was applied at the start. */
  readonly project: NewProject;
  /** Reads the document. Never rejects. */
  readonly read: () => Promise<PolicyReading>;
}

/** Applies a changed document; every replica uses it from its next decision. */
export class PolicyWatch implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #parts: WatchParts;
  #config: NewProject['config'];
  #isFirst = true;
  #problems = '';
  #cancel: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(ctx: Context, parts: WatchParts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.#config = parts.project.config;
    this.#wait();
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#ctx.clock.after(READ_EVERY_MS, () => {
      this.#running = this.readOnce().finally(() => this.#wait());
    });
  }

  /** Reads the document once. Never rejects. */
  async readOnce(): Promise<void> {
    const reading = await this.#parts.read();
    if (reading.kind === 'broken') return this.#refuse(reading.problems.join('\n'));
    const wasBroken = this.#problems !== '';
    this.#problems = '';
    const { config, says } = reading;
    if (canonical(config) === canonical(this.#config) && !this.#isFirst) {
      if (wasBroken) this.#ctx.log('info', 'Drover can read the policy again; it is unchanged');
      return;
    }
    try {
      await this.#apply(config, says);
      this.#isFirst = false;
    } catch (error) {
      this.#ctx.log('warn', 'The policy changed, but Drover cannot store it; retrying', { error: String(error) });
    }
  }

  async #apply(config: NewProject['config'], says: (name: string) => WorkerOptions): Promise<void> {
    const by = { kind: 'policy' } as const;
    const document = { ...this.#parts.project, config };
    const applied = await applyDocument(this.#ctx, document, { by, force: true, dryRun: false });
    if (applied.kind === 'refused') {
      this.#ctx.log('warn', `drover.toml changed, but Drover does not apply it: ${applied.message}`);
      return;
    }
    const plain = new Set((await this.#ctx.store.listProjects()).flatMap(idWithoutWorkers));
    const others = await followAll(this.#ctx, {
      by,
      dryRun: false,
      says: ({ projectId, name }) => (plain.has(projectId) ? says(name) : null),
    });
    const [before, young] = [this.#config, config].map(({ policy }) => policy ?? NO_POLICY);
    this.#config = config;
    const keys = applied.changes.map(({ key }) => key);
    if (before !== undefined && young !== undefined && keys.some(isOf('policy'))) this.#tell(before, young);
    if (keys.some(isOf('escalation')))
      this.#ctx.log('info', '[escalation] changed: it applies to questions from now on');
    const workers = [...applied.workers, ...others.map(followedText)];
    if (workers.length > 0) this.#ctx.log('info', `Settings of workers changed: ${workers.join('; ')}`);
    const rest = keys.filter((key) => !['policy', 'escalation', 'workers'].some((table) => isOf(table)(key)));
    if (rest.length === 0) return;
    const { name } = this.#parts.project;
    this.#ctx.log('info', `The project "${name}" changed: ${rest.join(', ')}; it applies from now on`);
  }

  /** Logs the problems once, until the document changes. */
  #refuse(problems: string): void {
    if (problems === this.#problems) return;
    this.#problems = problems;
    this.#ctx.log('error', `The changed policy is invalid, so the previous one stays in force:\n${problems}`);
  }

  #tell(before: ProjectPolicy, after: ProjectPolicy): void {
    const [old, young] = [before, after].map(({ project }) => policyOfDocuments(this.#ctx.policy, [project]));
    if (old === undefined || young === undefined) return;
    const changes = policyDifferences(old.policy, young.policy).map((one) => `${one.key} ${one.before} → ${one.after}`);
    const workers = Object.keys(after.workers).join(', ');
    this.#ctx.log('info', `The policy changed: ${changes.join(', ') || 'for single workers'}`, {
      before: old.version,
      after: young.version,
      workers,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }
}

const NO_POLICY: ProjectPolicy = { project: {}, workers: {} };

function isOf(table: string): (key: string) => boolean {
  return (key) => key.startsWith(`${table}.`);
}

function idWithoutWorkers({ id, config }: NewProject): readonly string[] {
  return config.workers === undefined ? [id] : [];
}
