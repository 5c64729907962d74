// Reads the changes of the recovery policy that the configuration names, and finds what is wrong with them.
import { DEFAULT_POLICY, policyWith } from '@drover/core';
import type { PolicyChanges, PolicyProblem } from '@drover/core';

/** Changes to the default policy: those of the whole project, and on top of them those of single workers by name. */
export type PolicyDocuments = {
  readonly project: PolicyChanges;
  readonly workers: Readonly<Record<string, PolicyChanges>>;
};

/** Tables of a configuration, or the same two tables of a policy file. */
type Tables = {
  readonly policy: PolicyChanges;
  readonly workers: Readonly<Record<string, { readonly policy: PolicyChanges }>>;
};

/** The `[policy]` of a configuration, and the `[workers.<name>.policy]` of those workers that have one. */
export function policyDocuments({ policy, workers }: Tables): PolicyDocuments {
  const own = Object.entries(workers).filter(([, worker]) => Object.keys(worker.policy).length > 0);
  return { project: policy, workers: Object.fromEntries(own.map(([name, worker]) => [name, worker.policy])) };
}

/** Everything that is wrong with them, with the whole path of each key. */
export function policyProblems({ project, workers }: PolicyDocuments): readonly PolicyProblem[] {
  const base = policyWith(project);
  const underneath = base.kind === 'ok' ? base.policy : DEFAULT_POLICY;
  return [
    ...(base.kind === 'ok' ? [] : base.problems.map((problem) => placed(problem, ['policy']))),
    ...Object.entries(workers).flatMap(([name, changes]) => {
      const outcome = policyWith(changes, underneath);
      return outcome.kind === 'ok' ? [] : outcome.problems.map((one) => placed(one, ['workers', name, 'policy']));
    }),
  ];
}

function placed({ path, message }: PolicyProblem, table: readonly string[]): PolicyProblem {
  return { path: [...table, ...path], message: `${table.join('.')}.${message}` };
}
