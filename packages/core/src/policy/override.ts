/** How does a project change numbers of the policy? By naming them; everything else stays as it is. */
import { DEFAULT_POLICY } from './policy.ts';
import type { Policy } from './policy.ts';

/** Numbers by name, nested as the policy is. */
export interface PolicyNumbers {
  readonly [key: string]: number | PolicyNumbers;
}

/** A policy, or everything that is wrong with the changes, in words that name each. */
export type PolicyOutcome =
  | { readonly kind: 'ok'; readonly policy: Policy }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Applies changes to the default policy. A number must stay a number, not negative, and each name must exist. */
export function policyWith(changes: PolicyNumbers): PolicyOutcome {
  const problems: string[] = [];
  const policy = merged(DEFAULT_POLICY, changes, { path: [], problems });
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'ok', policy };
}

interface Walk {
  readonly path: readonly string[];
  readonly problems: string[];
}

function merged<T extends object>(defaults: T, changes: PolicyNumbers, { path, problems }: Walk): T {
  const result: T = { ...defaults };
  const known: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(defaults));
  for (const [key, change] of Object.entries(changes)) {
    const name = ['policy', ...path, key].join('.');
    const value = known[key];
    if (value === undefined) {
      problems.push(`${name} is no number of the policy; there are: ${Object.keys(known).join(', ')}`);
    } else if (Array.isArray(value)) {
      problems.push(`${name} is a list and cannot be changed here`);
    } else if (typeof value === 'object' && value !== null) {
      if (typeof change === 'object')
        Object.assign(result, { [key]: merged(value, change, { path: [...path, key], problems }) });
      else problems.push(`${name} is a table (${Object.keys(value).join(', ')}), not a number`);
    } else if (typeof change !== 'number' || !Number.isFinite(change) || change < 0) {
      problems.push(`${name} takes a number that is not negative, such as ${String(value)}`);
    } else {
      Object.assign(result, { [key]: change });
    }
  }
  return result;
}
