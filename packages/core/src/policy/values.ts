/** Lists the values of a policy one by one, and the differences between two policies. */
import { canonical } from '../canonical.ts';
import type { PolicyChanges } from './override.ts';
import type { Policy } from './policy.ts';

/** Value at a key. A list is one value, as JSON: it is changed as a whole. */
export type PolicyLeaf = number | string | boolean;

/** A key by its dotted name, and its value. */
export interface PolicyEntry {
  readonly key: string;
  readonly value: PolicyLeaf;
}

/** A key in which two policies differ. Null: the policy has no such key. */
export interface PolicyDifference {
  readonly key: string;
  readonly before: PolicyLeaf | null;
  readonly after: PolicyLeaf | null;
}

/** Lists every value of a policy, or of changes to one, in the order in which it is written. */
export function policyEntries(policy: Policy | PolicyChanges): readonly PolicyEntry[] {
  return entriesOf(policy, '');
}

/** Returns the differences, in the order of the first policy; then values that only the second has. */
export function policyDifferences(before: Policy, after: Policy): readonly PolicyDifference[] {
  const old = new Map(policyEntries(before).map(({ key, value }) => [key, value]));
  const young = new Map(policyEntries(after).map(({ key, value }) => [key, value]));
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((key) => ({ key, before: old.get(key) ?? null, after: young.get(key) ?? null }))
    .filter((one) => one.before !== one.after);
}

function entriesOf(table: object, prefix: string): readonly PolicyEntry[] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]): readonly PolicyEntry[] => {
    const key = `${prefix}${name}`;
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return [{ key, value }];
    if (Array.isArray(value)) return [{ key, value: canonical(value) }];
    return typeof value === 'object' && value !== null ? entriesOf(value, `${key}.`) : [];
  });
}
