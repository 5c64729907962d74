/**
 * Follows the configuration of a Drover root while the coordinator runs: the policy, `[escalation]`, how the project is worked on, and what workers
 * run with. It is read every few seconds, and a broken one is refused.
 */
import { canonical, policyDifferences } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import type { NewProject, ProjectConfig, ProjectPolicy, WorkerOptions } from '@drover/store';
import type { Context } from './use-cases/context.ts';
import { policyOfDocuments } from './use-cases/policies/in-force.ts';
import { followConfiguration } from './use-cases/workers/live.ts';

/** How often the document is read, in milliseconds: a person who has just saved it reads the log at once. */
const READ_EVERY_MS = 2_000;

/** What the document says now, or everything that is wrong with it, one sentence each with file, key and what was expected. */
export type PolicyReading =
  | {
      readonly kind: 'read';
      readonly policy: ProjectPolicy;
      readonly escalation?: OncallPolicy;
      readonly settings?: SettingsReading;
    }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

/** What the document says beside the policy. */
export interface SettingsReading {
  /** How the project is worked on. */
  readonly repo: Partial<ProjectConfig>;
  /** What a worker of this name runs with. */
  readonly says: (name: string) => WorkerOptions;
  /** Differs where `says` does. */
  readonly stamp: string;
}

/** What is watched. */
export interface WatchParts {
  /** The project as it was stored at the start. */
  readonly project: NewProject;
  /** Reads the document. It never rejects. */
  readonly read: () => Promise<PolicyReading>;
}

/** Stores a policy that changed with its project, which every replica reads at its next decision. */
export class PolicyWatch implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #parts: WatchParts;
  #inForce: ProjectPolicy;
  #escalation: OncallPolicy | undefined;
  #repo: Partial<ProjectConfig> = {};
  #stamp: string | null = null;
  #problems = '';
  #cancel: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(ctx: Context, parts: WatchParts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.#inForce = parts.project.config.policy ?? { project: {}, workers: {} };
    this.#escalation = parts.project.config.escalation;
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
    const { policy, escalation = this.#escalation } = reading;
    const isSame = canonical(policy) === canonical(this.#inForce);
    const isAskedAlike = canonical(escalation ?? null) === canonical(this.#escalation ?? null);
    await this.#follow(reading.settings);
    const { repo = this.#repo } = reading.settings ?? {};
    const stored = { ...this.#parts.project.config, ...this.#repo };
    const changed = Object.entries(repo).flatMap(([key, value]) =>
      canonical(value) === canonical(stored[key as keyof ProjectConfig] ?? null) ? [] : [key],
    );
    if (isSame && isAskedAlike && changed.length === 0) {
      if (wasBroken) this.#ctx.log('info', 'The policy can be read again; it says what is in force');
      return;
    }
    const { project } = this.#parts;
    try {
      const config = { ...project.config, ...repo, policy, ...(escalation !== undefined && { escalation }) };
      await this.#ctx.store.upsertProject({ ...project, config }, this.#ctx.clock.now());
    } catch (error) {
      this.#ctx.log('warn', 'The policy changed and could not be stored; trying again', { error: String(error) });
      return;
    }
    if (!isSame) this.#tell(this.#inForce, policy);
    if (!isAskedAlike) this.#ctx.log('info', '[escalation] changed: it holds for questions from now on');
    if (changed.length > 0)
      this.#ctx.log(
        'info',
        `The project "${project.name}" changed: ${changed.join(', ')}; it holds for what is done from now on`,
      );
    this.#repo = repo;
    this.#inForce = policy;
    this.#escalation = escalation;
  }

  /** Workers that are there follow what the document says of them. */
  async #follow(settings: SettingsReading | undefined): Promise<void> {
    if (settings === undefined || settings.stamp === this.#stamp) return;
    try {
      const told = await followConfiguration(this.#ctx, settings.says);
      if (told.length > 0) this.#ctx.log('info', `Settings of workers changed: ${told.join('; ')}`);
      this.#stamp = settings.stamp;
    } catch (error) {
      this.#ctx.log('warn', 'Settings of workers changed and could not be stored; trying again', {
        error: String(error),
      });
    }
  }

  /** Logged once, until the document changes. */
  #refuse(problems: string): void {
    if (problems === this.#problems) return;
    this.#problems = problems;
    this.#ctx.log('error', `The changed policy is refused, and the old one stays in force:\n${problems}`);
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
