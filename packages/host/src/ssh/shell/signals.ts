/** Names the signal that ended a program, by the status that a shell gives. */
import { constants } from 'node:os';

/** Names by number; the numbers that Drover meets are the same on every system. */
const NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** A program that a signal ended has this and the signal's number as its status. */
const SIGNALLED = 128;
/** Git leaves with this status when it is called in a wrong way, and no program dies of a hang-up here: there is no terminal. */
const NO_SIGNAL = 129;

/** @returns undefined for a status of the program's own. */
export function signalOf(status: number): string | undefined {
  return status === NO_SIGNAL ? undefined : NAMES.get(status - SIGNALLED);
}
