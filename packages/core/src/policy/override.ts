/** Changes the policy by a document that names only differences from another; everything else stays as it is. */
import { RESULTS } from '../machine/commands.ts';
import { policyContradictions, valueProblem } from './check.ts';
import type { PolicyProblem } from './check.ts';
import { DEFAULT_POLICY } from './policy.ts';
import type { Policy } from './policy.ts';
import type { ToolFailurePolicy } from './tool-failures.ts';

/** Value that a policy document may hold at a key. */
export type PolicyValue = number | string | boolean | readonly PolicyValue[] | PolicyChanges;

/** Changes by name, nested as the policy is. A list replaces the whole list. */
export interface PolicyChanges {
  readonly [key: string]: PolicyValue;
}

/** Changed policy, or all problems of the changes. */
export type PolicyOutcome =
  | { readonly kind: 'ok'; readonly policy: Policy }
  | { readonly kind: 'invalid'; readonly problems: readonly PolicyProblem[] };

/**
 * Applies changes to a policy. Each name must exist, each value must be of the kind of its key and within its bounds, and the result must not
 * contradict itself.
 */
export function policyWith(changes: PolicyChanges, base: Policy = DEFAULT_POLICY): PolicyOutcome {
  const problems: PolicyProblem[] = [];
  const policy = merged(base, changes, { path: [], problems });
  if (problems.length === 0) problems.push(...policyContradictions(policy));
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'ok', policy };
}

/** Names the variable by which the hook of an agent gets the rules for failed tools, as JSON. Absent: Drover's own hold. */
export const TOOL_POLICY_VARIABLE = 'DROVER_TOOL_POLICY';

/** Reads the rules for failed tools from the variable; Drover's own if there are none, or if this build cannot read them. */
export function toolPolicyFrom(json: string | undefined): ToolFailurePolicy {
  const said = json === undefined ? null : parsed(json);
  const outcome = isTable(said) ? policyWith({ toolFailures: asChanges(said) }) : null;
  return outcome?.kind === 'ok' ? outcome.policy.toolFailures : DEFAULT_POLICY.toolFailures;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

interface Walk {
  readonly path: readonly string[];
  readonly problems: PolicyProblem[];
}

function merged<T extends object>(base: T, changes: PolicyChanges, { path, problems }: Walk): T {
  const result: T = { ...base };
  const known: Readonly<Record<string, unknown>> = { ...unnamed(base, path), ...base };
  for (const [key, change] of Object.entries(changes)) {
    const here = [...path, key];
    const value = Object.hasOwn(known, key) ? known[key] : undefined;
    if (value === undefined) {
      const message = `${here.join('.')} is not a key of the policy; the keys are: ${Object.keys(known).join(', ')}`;
      problems.push({ path: here, message });
    } else if (isTable(value) && isTable(change)) {
      Object.assign(result, { [key]: merged(value, asChanges(change), { path: here, problems }) });
    } else {
      const found = valueProblem(here, change, value);
      if (found.length > 0) problems.push(...found);
      else Object.assign(result, { [key]: change });
    }
  }
  return result;
}

/** Lists keys that a table may hold beside its own: each command may have a time limit of its own. */
function unnamed(base: object, path: readonly string[]): Readonly<Record<string, unknown>> {
  if (path.join('.') !== 'command.timeoutMs' || !('default' in base)) return {};
  return Object.fromEntries(Object.keys(RESULTS).map((kind) => [kind, base.default]));
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asChanges(table: object): PolicyChanges {
  return Object.fromEntries(Object.entries(table));
}
