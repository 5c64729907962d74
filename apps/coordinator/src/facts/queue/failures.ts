/** Bounds the workers that fail at one item of the work queue, one after the other. */
import type { Project } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { policyInForce } from '../policies/in-force.ts';

/** Returns the failures after which an item of this project waits for a person: the workers that fail at one task, at least one. */
export function failuresMaxOf(ctx: Pick<Context, 'policy'>, project: Project): number {
  return Math.max(1, policyInForce(ctx, project, '').policy.incident.workersPerTaskMax);
}

/** Looks up the same by the id of a project; an unknown project has the default. */
export function failuresMaxIn(
  ctx: Pick<Context, 'policy'>,
  projects: readonly Project[],
): (projectId: string) => number {
  const known = new Map(projects.map((project) => [project.id, failuresMaxOf(ctx, project)]));
  return (projectId) => known.get(projectId) ?? Math.max(1, ctx.policy.incident.workersPerTaskMax);
}
