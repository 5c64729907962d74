/** Defines the condition of a machine: its programs, room and load. A machine reports it with a sync, now and then. */
import { z } from 'zod';
import { epochMs } from '../names.ts';

/** Characters of a program's name and of its version. */
const WORD_MAX = 200;
/** Programs that a machine tells of: more than there are profiles in a fleet that people can look after. */
export const PROGRAMS_TOLD_MAX = 100;

/** Names of variables that are told of one program. */
const KEYS_TOLD_MAX = 20;

const bytes = z.number().int().nonnegative();

/** A program: a tool of Drover's own, or that of an agent profile, by the profile's name. */
const told = z.object({
  of: z.enum(['tool', 'profile']),
  name: z.string().min(1).max(WORD_MAX),
  /** `forbidden`: the machine's owner does not let it be started. */
  state: z.enum(['present', 'missing', 'forbidden']),
  /** The first line of what it says of itself; null: it was not asked yet, or does not tell. */
  version: z.string().max(WORD_MAX).nullable(),
  /** Names of the variables in a profile's environment that hold keys or tokens of an account; absent: not known. */
  keys: z.array(z.string().max(WORD_MAX)).max(KEYS_TOLD_MAX).readonly().optional(),
  /** Ways by which Drover gives a profile's agents their texts and hears them, in words that follow "by"; absent: not known. */
  hears: z.string().max(WORD_MAX).optional(),
  /** Comparisons with a version of a profile's program that no trial has seen; absent: a trial has, or it is not known. */
  untried: z
    .object({ version: z.string().max(WORD_MAX), turns: z.int().nonnegative(), disagreements: z.int().nonnegative() })
    .optional(),
});

/** A reading of a machine. A machine speaks of itself alone: one that lies gets work that it cannot do, or gets none. */
export const condition = z.object({
  /** The machine's clock as this was sent. No part goes by it; how far it is off is told to people. */
  sentAt: epochMs,
  programs: z.array(told).max(PROGRAMS_TOLD_MAX).readonly(),
  /** Processors, and how many processes wanted one in the last minute. */
  processors: z.number().int().min(1).max(100_000),
  load: z.number().nonnegative().max(1_000_000),
  memory: z.object({ bytes, freeBytes: bytes }),
  /** Disk on which checkouts are made; null: it could not be read. */
  disk: z.object({ bytes, freeBytes: bytes }).nullable(),
});
/** A checked `condition`. */
export type Condition = z.infer<typeof condition>;

/** Seconds of each unit in which people are told how far a clock is off, and from how many of them on. */
const UNITS = [
  { unit: 'years', seconds: 31_557_600 },
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
] as const;

/** Describes how far a machine's clock is off, in words: `about 3.4 s ahead`, `about 57 years behind`. Only small offsets are told to a tenth. */
export function clockOffsetText(offsetMs: number): string {
  const seconds = Math.abs(offsetMs) / 1_000;
  const large = UNITS.find((one) => seconds >= 2 * one.seconds);
  const much = large === undefined ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / large.seconds)} ${large.unit}`;
  return `about ${much} ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}
