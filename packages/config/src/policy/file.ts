// Reads a file with a recovery policy: a policy alone, or a whole `drover.toml`, of which only the policy is read.
import type { PolicyChanges } from '@drover/core';
import { parseDocument } from '../load/document.ts';
import { policyProblems } from './policy.ts';
import type { PolicyDocuments } from './policy.ts';
import { problemsOf, type ConfigProblem } from '../load/problems.ts';
import { configSchema, policyChanges } from '../schema/schema.ts';
import { lineOf, tomlLines } from '../load/toml-lines.ts';

/** Changes to the default policy that can be used, or everything that is wrong with them. */
export type PolicyFileOutcome =
  | { readonly kind: 'read'; readonly documents: PolicyDocuments }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** Reads TOML, or JSON where the file's name says so. `file` is its path, for messages. */
export function parsePolicy(text: string, file: string): PolicyFileOutcome {
  const parsed = parseDocument(text, file);
  if (parsed.kind === 'invalid') {
    const { message, line } = parsed;
    return { kind: 'invalid', problems: [{ key: '', message, origin: origin(file, line) }] };
  }
  const values = tableOf(parsed.value);
  // A policy alone is the table `[policy]` without its head.
  const isWhole = Object.keys(values).some((key) => Object.hasOwn(configSchema.shape, key));
  const lines = file.endsWith('.json') ? new Map<string, number>() : tomlLines(text);
  const originOf = (path: readonly string[]) => origin(file, lineOf(lines, isWhole ? path : path.slice(1)));
  const tables = new Map<string, unknown>([['', isWhole ? (values['policy'] ?? {}) : values]]);
  for (const [name, worker] of Object.entries(isWhole ? tableOf(values['workers']) : {}))
    if (tableOf(worker)['policy'] !== undefined) tables.set(name, tableOf(worker)['policy']);
  const problems: ConfigProblem[] = [];
  const read = new Map<string, PolicyChanges>();
  for (const [name, table] of tables) {
    const checked = policyChanges.safeParse(table, { reportInput: true });
    const path = name === '' ? ['policy'] : ['workers', name, 'policy'];
    if (checked.success) read.set(name, checked.data);
    else
      problems.push(
        ...problemsOf(
          checked.error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
          originOf,
        ),
      );
  }
  const project = read.get('') ?? {};
  read.delete('');
  const documents = { project, workers: Object.fromEntries(read) };
  const found = policyProblems(documents).map(({ path, message }) => ({
    key: path.join('.'),
    message,
    origin: originOf(path),
  }));
  problems.push(...found);
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'read', documents };
}

function origin(file: string, line: number | undefined): ConfigProblem['origin'] {
  return { kind: 'file', file, line };
}

function tableOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}
