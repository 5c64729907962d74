/** Options as they come from the command line, with their types checked. */
import { CommandError } from '../exit-codes.ts';

/** Options of a command, as commander leaves them. */
export type Options = Readonly<Record<string, unknown>>;

/** @returns undefined when the option was not given. */
export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether the switch was given. */
export function flag(options: Options, name: string): boolean {
  return options[name] === true;
}

/** @throws {CommandError} when it is not a whole number within the bounds. */
export function count(options: Options, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new CommandError('usage', `--${name} takes a whole number from ${min} to ${max}, not "${value}"`);
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `90s`, `30m`, `2h` or `7d`, in milliseconds. @throws {CommandError} for anything else. */
export function span(options: Options, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const ms = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new CommandError('usage', `--${name} takes a span such as 90s, 30m, 2h or 7d, not "${value}"`);
}

/** An object with the key only if there is a value: absent and undefined are not the same to the API. */
export function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}
