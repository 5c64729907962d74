// Reads the values of a flow's keys. Each reader says what it expected.

/** Value that was read, or what was expected in its place. */
export type Read<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'expected'; readonly words: string };

export type Reader<T> = (value: unknown) => Read<T>;

function read<T>(value: T): Read<T> {
  return { kind: 'read', value };
}

function expected(words: string): { readonly kind: 'expected'; readonly words: string } {
  return { kind: 'expected', words };
}

export const text: Reader<string> = (value) =>
  typeof value === 'string' && value.trim() !== '' ? read(value) : expected('a text');

/** Reads a whole number within bounds. */
export function whole(least: number, most: number): Reader<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? read(value)
      : expected(`a whole number from ${least} to ${most}`);
}

/** Reads one of some words. */
export function word<T extends string>(words: readonly T[]): Reader<T> {
  return (value) => {
    const found = words.find((one) => one === value);
    return found === undefined ? expected(words.map((one) => `"${one}"`).join(' or ')) : read(found);
  };
}

/** Reads commands; empty: those of the project. */
export const commands: Reader<readonly string[]> = (value) => {
  if (value === 'project') return read([]);
  const isList =
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
  return isList
    ? read(value as readonly string[])
    : expected('a list of commands, or "project" for those of drover.toml');
};

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads a time such as "90m", "6h" or "1h30m" as milliseconds. */
export const time: Reader<number> = (value) => {
  const given = typeof value === 'string' ? value.replaceAll(' ', '') : '';
  if (!/^(?:\d{1,6}[smhd])+$/u.test(given)) return expected('a time such as "90m", "6h" or "1h30m"');
  const parts = [...given.matchAll(/(\d{1,6})([smhd])/gu)];
  const ms = parts.reduce(
    (all, [, count = '0', unit = 's']) => all + Number(count) * UNITS[unit as keyof typeof UNITS],
    0,
  );
  return ms > 0 ? read(ms) : expected('a time above zero');
};

const FACTORS = { '': 1, k: 1_000, M: 1_000_000 } as const;

/** Reads a number of tokens such as "4M", "500k" or 20000. */
export const tokens: Reader<number> = (value) => {
  const [, count = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)([kM]?)$/u.exec(String(value)) ?? [];
  const found = count === '' ? 0 : Math.round(Number(count) * FACTORS[unit as keyof typeof FACTORS]);
  return found > 0 ? read(found) : expected('a number of tokens such as "4M" or "500k"');
};

/** Reads US dollars such as "$20" or 20. */
export const money: Reader<number> = (value) => {
  const [, amount = ''] = /^\$?(\d{1,9}(?:\.\d{1,2})?)$/u.exec(String(value)) ?? [];
  return Number(amount) > 0 ? read(Number(amount)) : expected('an amount in US dollars such as "$20"');
};
