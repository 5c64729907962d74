// Which rules of the policy did the schedules reach, and which never?
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Counts } from './tally.ts';

const DECIDE = path.join(import.meta.dirname, '../../packages/core/src/decide');

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
