// Projects: the repositories that are worked on, and who holds the lease to merge.
import type { Budget, BudgetScope, OncallPolicy, PolicyChanges, Trust } from '@drover/core';
import type { LiveOptions, StartedWith } from './workers.ts';

/** Settings of a project's work. From `drover.toml`. */
export interface ProjectConfig {
  readonly copyFiles: readonly string[];
  /** Globs of ignored files that count as work. Absent: none. */
  readonly keep?: readonly string[];
  /** Checks before a merge, each a program and its arguments. */
  readonly validate: readonly (readonly string[])[];
  /** Commands that make a fresh checkout ready for the checks. Absent: nothing. */
  readonly setup?: readonly (readonly string[])[];
  /** Commands that make the place of a worker ready for its agent. Absent: none. */
  readonly workerSetup?: readonly (readonly string[])[];
  /** Variables of each worker, by name; the values are templates. Absent: none. */
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** `repository`: the checks are those of the repository's own file. Absent: `config`. */
  readonly validateFrom?: 'config' | 'repository';
  readonly validateTimeoutMs: number;
  readonly runHooks: boolean;
  /** Prefix of workers' branches. Absent: `drover`. */
  readonly branchPrefix?: string;
  /** Allows agents to push by themselves. Absent: they may not. */
  readonly agentPush?: boolean;
  /** `upstream`: the default branch of the source is brought to its upstream. Absent: it is not. */
  readonly follow?: 'nothing' | 'upstream';
  /** The name of the machine that has the repository; null or absent: the one whose agent runs in a root of the project. */
  readonly home?: string | null;
  /** Machines that run the checks of merges, the first that is connected. Absent or empty: the machine of the first work does. */
  readonly validateOn?: readonly string[];
  /** `branch`: accepted work is pushed as a branch of its own. Absent: `main`. */
  readonly publish?: 'main' | 'branch';
  /** Command that asks people to merge such a branch. Absent: no command does. */
  readonly openRequest?: readonly string[];
  readonly preamble: string;
  /** Limits of what may be spent. Absent: none. */
  readonly budget?: Readonly<Partial<Record<BudgetScope, Budget>>>;
  /** People who are asked, and when. Absent: `DEFAULT_ONCALL`. */
  readonly escalation?: OncallPolicy;
  /** Changes to the recovery policy. Absent: the defaults hold. */
  readonly policy?: ProjectPolicy;
  /** Options of its workers. Absent: the coordinator's configuration decides. */
  readonly workers?: ProjectWorkers;
  /** The document that was applied and says all this. Absent: there is none; that of a root is in the root. */
  readonly appliedFrom?: string;
}

/** Options of the workers that the document names, and of all others. */
export interface ProjectWorkers {
  readonly defaults: ConfiguredOptions;
  readonly named: Readonly<Record<string, ConfiguredOptions>>;
}

/** Options that a document gives a worker. */
export type ConfiguredOptions = LiveOptions & Pick<StartedWith, 'profile'>;

/** Changes to the default policy: those of the project, and on top of them those of single workers by name. */
export interface ProjectPolicy {
  readonly project: PolicyChanges;
  readonly workers: Readonly<Record<string, PolicyChanges>>;
}

/** A project as it is stored. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** The Drover root whose drover.toml says all this; null: a document does that was applied. */
  readonly root: string | null;
  readonly defaultBranch: string;
  readonly config: ProjectConfig;
  readonly mergeWorkerId: string | null;
  readonly trust: Trust;
}

/** A project as its configuration names it. */
export type NewProject = Omit<Project, 'mergeWorkerId' | 'trust'>;
