/** The options and arguments that a command declares. Each of them knows its help and the type that the handler gets. */
import { CommandError } from '../exit-codes.ts';

/** An option; its name is the key under which a command declares it. `T` is the handler's type. */
export interface Option<T> {
  readonly about: string;
  /** The letter of the short form, such as `n` for `-n`. */
  readonly short?: string;
  /** The name of the option's value in the help; a switch has none. */
  readonly value?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** True if the option may be given several times. */
  readonly isRepeated?: boolean;
  /** Written `--no-NAME`: the named thing is on unless the option is given. */
  readonly isNegated?: boolean;
  /** @throws {CommandError} `usage` for an invalid value. */
  readonly read: (given: unknown, name: string) => T;
}

/** A positional argument. `T` is the handler's type. */
export interface Argument<T> {
  readonly about: string;
  readonly kind: 'required' | 'optional' | 'rest';
  readonly read: (given: unknown) => T;
}

/** The handler's values of a whole declaration. */
export type Values<S extends Readonly<Record<string, { readonly read: (given: unknown, name: string) => unknown }>>> = {
  readonly [K in keyof S]: ReturnType<S[K]['read']>;
};

/** Declares an argument that the command needs. */
export function required(about: string): Argument<string> {
  return { about, kind: 'required', read: (given) => textOf(given) ?? '' };
}

/** Declares an argument that may be left out. */
export function optional(about: string): Argument<string | undefined> {
  return { about, kind: 'optional', read: textOf };
}

/** Declares an argument for all remaining words. */
export function rest(about: string): Argument<readonly string[]> {
  return { about, kind: 'rest', read: (given) => (Array.isArray(given) ? given.map(String) : []) };
}

/** Declares a switch that is off unless it is given. */
export function flag(about: string, how: { readonly short?: string } = {}): Option<boolean> {
  return { about, ...how, read: (given) => given === true };
}

/** Declares a switch that is on unless `--no-NAME` is given. */
export function enabled(about: string): Option<boolean> {
  return { about, isNegated: true, read: (given) => given !== false };
}

/** Declares a text. With a default, or if the option is required, the handler always gets a text. */
export function text(value: string, about: string): Option<string | undefined>;
export function text(value: string, about: string, how: { readonly default: string }): Option<string>;
export function text(
  value: string,
  about: string,
  how: { readonly isRequired: true; readonly short?: string },
): Option<string>;
export function text(
  value: string,
  about: string,
  how: { readonly default?: string; readonly isRequired?: boolean; readonly short?: string } = {},
): Option<string | undefined> {
  return { about, value, ...how, read: (given) => textOf(given) ?? how.default };
}

/** Declares texts between commas, such as `gpu,eu`; undefined if the option is not given, and an empty list if it is empty. */
export function list(value: string, about: string): Option<string[] | undefined> {
  return {
    about,
    value,
    read: (given) =>
      textOf(given)
        ?.split(',')
        .flatMap((word) => word.trim() || []),
  };
}

/** Declares a text that may be given several times; the handler gets all of them in their order. */
export function texts(value: string, about: string): Option<readonly string[]> {
  return { about, value, isRepeated: true, read: (given) => (Array.isArray(given) ? given.map(String) : []) };
}

/** Declares a choice from a list; the first is the default. */
export function choice<const C extends readonly [string, ...string[]]>(
  value: string,
  about: string,
  choices: C,
): Option<C[number]> {
  const [first] = choices;
  return { about, value, choices, default: first, read: (given) => choices.find((one) => one === given) ?? first };
}

/** Bounds of whole numbers. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Declares a whole number within bounds. With a default, the handler always gets one. */
export function count(
  value: string,
  about: string,
  how: Bounds & { readonly default: number; readonly short?: string },
): Option<number>;
export function count(value: string, about: string, how: Bounds): Option<number | undefined>;
export function count(
  value: string,
  about: string,
  { min, max, default: standard, ...how }: Bounds & { readonly default?: number; readonly short?: string },
): Option<number | undefined> {
  return {
    about,
    value,
    ...how,
    ...(standard === undefined ? {} : { default: String(standard) }),
    read: (given, name) => {
      const digits = textOf(given);
      if (digits === undefined) return standard;
      const number = Number(digits);
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      throw new CommandError('usage', `--${name} takes a whole number from ${min} to ${max}, not "${digits}"`);
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Declares a span such as `90s`, `30m`, `2h` or `7d`; the handler gets milliseconds. */
export function span(about: string): Option<number | undefined> {
  return {
    about,
    value: 'span',
    read: (given, name) => {
      const value = textOf(given);
      return value === undefined ? undefined : spanOf(value, name, 'a span such as 90s, 30m, 2h or 7d');
    },
  };
}

/** Declares a span as in {@link span}, or `never`: the handler gets null. */
export function spanOrNever(about: string): Option<number | null | undefined> {
  return {
    about,
    value: 'span',
    read: (given, name) => {
      const value = textOf(given);
      if (value === undefined) return undefined;
      return value === 'never' ? null : spanOf(value, name, 'a span such as 12h or 30d, or "never"');
    },
  };
}

function spanOf(value: string, name: string, what: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const ms = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new CommandError('usage', `--${name} takes ${what}, not "${value}"`);
}

function textOf(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}
