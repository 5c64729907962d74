// Which edges of the decision trees did the schedules reach, and which never? Rules, moves, records, codes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TRANSITIONS } from '@drover/core';
import { EXCUSES } from './excuses.ts';
import { countsOf } from './sums.ts';
import type { Sums } from './sums.ts';
import type { Counts } from './tally.ts';

const DECIDE = path.join(import.meta.dirname, '../../../packages/core/src/decide');

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
  const files = readdirSync(DECIDE).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const names = files.flatMap((file) => rulesNamedIn(readFileSync(path.join(DECIDE, file), 'utf8')));
  return [...new Set(names)].toSorted();
}

/** The rules that a source names: every text in the second argument of `rule(step, name)` and of `released(step, name)`. */
export function rulesNamedIn(source: string): readonly string[] {
  return [...source.matchAll(/(?<!function )\b(?:rule|released)\(/g)].flatMap((call) => {
    const name = secondArgument(source, call.index + call[0].length);
    // A name that was chosen some lines above.
    const chosen = /^\w+$/.test(name) ? new RegExp(`const ${name} = ([^;]*);`).exec(source)?.[1] : undefined;
    return textsIn(chosen ?? name);
  });
}

const OPENING = '([{';
const CLOSING = ')]}';

/** What stands between the first comma and the next one, or the end, at the level of the call itself. */
function secondArgument(source: string, from: number): string {
  let depth = 0;
  let start: number | null = null;
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (OPENING.includes(char)) depth += 1;
    else if (depth > 0 && CLOSING.includes(char)) depth -= 1;
    else if (depth === 0 && (char === ',' || char === ')')) {
      if (start !== null) return source.slice(start, at).trim();
      start = at + 1;
    }
  }
  return '';
}

/** Quoted texts, with `*` for what is computed; one that is compared with is no name. */
function textsIn(code: string): readonly string[] {
  const found: string[] = [];
  for (const [, quoted, template] of code.matchAll(/(?<!=== )'([a-z][^']*)'|`((?:\$\{[^}]*\}|[^`$])+)`/g))
    found.push(quoted ?? (template ?? '').replaceAll(/\$\{[^}]*\}/g, '*'));
  return found;
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
