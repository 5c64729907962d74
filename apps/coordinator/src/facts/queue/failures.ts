/** The bound on workers that fail at one item of the work queue, one after the other. */
import type { Project } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../policies/in-force.ts';

/** Failures after which an item of this project waits for a person: the workers that fail at one task, at least one. */
export function failuresMaxOf(ctx: Pick<Context, 'policy'>, project: Project): number {
  return Math.max(1, policyInForce(ctx, project, '').policy.incident.workersPerTaskMax);
}

/** The same by the id of a project; of one that is not among these the default holds. */
export function failuresMaxIn(
  ctx: Pick<Context, 'policy'>,
  projects: readonly Project[],
): (projectId: string) => number {
  const known = new Map(projects.map((project) => [project.id, failuresMaxOf(ctx, project)]));
  return (projectId) => known.get(projectId) ?? Math.max(1, ctx.policy.incident.workersPerTaskMax);
}
