// Which edges of the decision trees did the schedules reach, and which never? Rules, moves, records, codes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TRANSITIONS } from '@drover/core';
import { EXCUSES } from './excuses.ts';
import { countsOf } from './sums.ts';
import type { Sums } from './sums.ts';
import type { Counts } from './tally.ts';

const DECIDE = path.join(import.meta.dirname, '../../packages/core/src/decide');

/** One edge: a rule that can fire, or a move that can be made. */
export interface Edge {
  readonly kind: 'rule' | 'move';
  readonly name: string;
  readonly times: number;
  /** Why it need not be reached here; null: it must be, in a long run. */
  readonly excuse: string | null;
}

/** Every edge of the source, with how often it was reached. */
export function edges({ rules, statuses }: Pick<Sums, 'rules' | 'statuses'>): readonly Edge[] {
  const fired = coverage(countsOf(rules)).map(({ rule, times }) => edge('rule', rule, times));
  const moves = TRANSITIONS.map(({ from, to }) => `${from} → ${to}`);
  return [...fired, ...moves.map((name) => edge('move', name, statuses[name] ?? 0))];
}

function edge(kind: Edge['kind'], name: string, times: number): Edge {
  return { kind, name, times, excuse: EXCUSES.get(name) ?? null };
}

/** The names of rules as the source has them, with `*` where a part is computed. */
export function knownRules(): readonly string[] {
  const names = new Set<string>();
  for (const file of readdirSync(DECIDE).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))) {
    const text = readFileSync(path.join(DECIDE, file), 'utf8');
    for (const [, , name] of text.matchAll(/\b(?:rule|released)\(\s*[^'"`;]*?(['`])([a-z][^'`]*)\1/g))
      if (name !== 'lease') names.add((name ?? '').replaceAll(/\$\{[^}]*\}/g, '*'));
  }
  return [...names].toSorted();
}

/** How often each known rule was reached. */
export function coverage(rules: Counts): readonly { readonly rule: string; readonly times: number }[] {
  return knownRules().map((rule) => {
    const pattern = new RegExp(`^${rule.replaceAll(/[.?+^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    let times = 0;
    for (const [name, by] of rules) if (pattern.test(name)) times += by;
    return { rule, times };
  });
}
