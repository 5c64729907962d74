/** Finds the time zone that the words behind a time of day name. */

import { isZoneName, UTC, type Zone } from './calendar.ts';

/**
 * Abbreviations that mean one offset wherever a model provider writes them, in hours east of UTC.
 * Ambiguous ones (CST, IST, BST) are left out on purpose: they fall back on the machine's own zone.
 */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  EST: -5,
  EDT: -4,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  JST: 9,
  AEST: 10,
  AEDT: 11,
};

/** Generic American names, which follow daylight saving. */
const REGIONS: Readonly<Record<string, string>> = {
  PT: 'America/Los_Angeles',
  MT: 'America/Denver',
  CT: 'America/Chicago',
  ET: 'America/New_York',
};

/**
 * Reads `Europe/Berlin`, `UTC`, `UTC+2`, `GMT-03:30`, `+0100`, `PST`, `PT`.
 * @returns null if the words name no zone that is known for certain.
 */
export function zoneNamed(words: string): Zone | null {
  const name = words.trim().replace(/^\(|\)$/g, '');
  const abbreviation = name.toUpperCase();
  if (Object.hasOwn(ABBREVIATIONS, abbreviation)) return { offsetMinutes: (ABBREVIATIONS[abbreviation] ?? 0) * 60 };
  const region = Object.hasOwn(REGIONS, abbreviation) ? REGIONS[abbreviation] : undefined;
  if (region !== undefined) return { name: region };
  const offset = /^(?:UTC|GMT)?([+-−])(\d{1,2}):?([0-5]\d)?$/i.exec(name);
  if (offset !== null) return fixedOffset(offset[1] ?? '+', Number(offset[2]), Number(offset[3] ?? 0));
  if (/^[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2}$/.test(name) && isZoneName(name)) return { name };
  return null;
}

/** Zones by name, because a lookup takes longer than a whole decision, and a fleet has few names. */
const ZONES = new Map<string, Zone>();

/** Returns the zone of a machine, given by name. An unknown name counts as UTC, so that a wrong setting never stops recovery. */
export function zoneOfMachine(name: string): Zone {
  if (name === 'UTC') return UTC;
  const known = ZONES.get(name) ?? (isZoneName(name) ? { name } : UTC);
  ZONES.set(name, known);
  return known;
}

/** No place on earth is further from UTC than 14 hours. */
const OFFSET_HOURS_MAX = 14;

function fixedOffset(sign: string, hours: number, minutes: number): Zone | null {
  if (hours > OFFSET_HOURS_MAX) return null;
  return { offsetMinutes: (sign === '+' ? 1 : -1) * (hours * 60 + minutes) };
}
