/** Follows the policy document and `[escalation]` beside it: they are read every few seconds, and broken ones are refused. */
import { canonical, policyDifferences } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import type { NewProject, ProjectPolicy } from '@drover/store';
import type { Context } from './use-cases/context.ts';
import { policyOfDocuments } from './use-cases/policies/in-force.ts';

/** How often the document is read, in milliseconds: a person who has just saved it reads the log at once. */
const READ_EVERY_MS = 2_000;

/** What the document says now, or everything that is wrong with it, one sentence each with file, key and what was expected. */
export type PolicyReading =
  | { readonly kind: 'read'; readonly policy: ProjectPolicy; readonly escalation?: OncallPolicy }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

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
    if (isSame && isAskedAlike) {
      if (wasBroken) this.#ctx.log('info', 'The policy can be read again; it says what is in force');
      return;
    }
    const { project } = this.#parts;
    try {
      const config = { ...project.config, policy, ...(escalation !== undefined && { escalation }) };
      await this.#ctx.store.upsertProject({ ...project, config }, this.#ctx.clock.now());
    } catch (error) {
      this.#ctx.log('warn', 'The policy changed and could not be stored; trying again', { error: String(error) });
      return;
    }
    if (!isSame) this.#tell(this.#inForce, policy);
    if (!isAskedAlike) this.#ctx.log('info', '[escalation] changed: it holds for questions from now on');
    this.#inForce = policy;
    this.#escalation = escalation;
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
