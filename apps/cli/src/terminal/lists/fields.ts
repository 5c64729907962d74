/** Chooses fields of JSON, as `--json=name,status` asks. */
import { CommandError } from '../../exit-codes.ts';

/**
 * Keeps the named fields of data; of a list, those of each entry. A dot goes into a field: `worker.name`.
 *
 * @throws {CommandError} `usage` for a field that no entry has.
 */
export function chosenFields(data: unknown, fields: readonly string[]): unknown {
  const entries: readonly unknown[] = Array.isArray(data) ? data : [data];
  for (const field of fields) {
    if (entries.length === 0 || entries.some((entry) => valueAt(entry, field) !== undefined)) continue;
    const known = [...new Set(entries.flatMap((entry) => Object.keys(Object(entry))))].toSorted();
    throw new CommandError('usage', `There is no field "${field}"; there are: ${known.join(', ')}`);
  }
  const kept = entries.map((entry) =>
    Object.fromEntries(fields.map((field) => [field, valueAt(entry, field) ?? null])),
  );
  return Array.isArray(data) ? kept : kept[0];
}

function valueAt(entry: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), entry);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
