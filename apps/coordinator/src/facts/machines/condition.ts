/** Reads the condition that a machine reported and that decisions use: its programs, disk, memory, load and clock. */
import type { Policy, Spot } from '@drover/core';
import { clockOffsetText } from '@drover/protocol';
import type { Condition } from '@drover/protocol';
import type { Machine, MachineCondition, Space } from '@drover/store';

/** Milliseconds for which a report holds. Machines report their condition once a minute; an older report decides nothing. */
export const CONDITION_HOLDS_MS = 10 * 60_000;

/** Builds the stored condition. The coordinator compares the clocks, so a machine cannot claim that its own is right. */
export function heardCondition({ sentAt, ...said }: Condition, now: number): MachineCondition {
  return { ...said, at: now, clockOffsetMs: sentAt - now };
}

/** Returns the machine's condition; null: the machine has not reported, or long ago. */
export function presentCondition({ condition }: Pick<Machine, 'condition'>, now: number): MachineCondition | null {
  return condition === null || now - condition.at > CONDITION_HOLDS_MS ? null : condition;
}

/** Tells why a machine is short of disk for new work; null: it has enough, or its disk is unknown. */
export function shortOfDisk(condition: MachineCondition | null, { placement }: Policy): string | null {
  return short('disk', condition?.disk ?? null, placement.diskBytesMin);
}

/** Tells why a machine is short of memory for a new worker; null: it has enough, or its memory is unknown. */
export function shortOfMemory(condition: MachineCondition | null, { placement }: Policy): string | null {
  return short('memory', condition?.memory ?? null, placement.memoryBytesMin);
}

function short(what: string, space: Space | null, least: number): string | null {
  if (space === null || space.freeBytes >= least) return null;
  return `${gib(space.freeBytes)} of ${what} are free, and new work needs ${gib(least)}`;
}

function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

/** Tells why a machine cannot start a profile's program; null: it can, or the machine has not reported on the program. */
export function lacksProgram(condition: MachineCondition | null, profile: string): Spot['program'] {
  const told = condition?.programs.find(({ of, name }) => of === 'profile' && name === profile);
  switch (told?.state) {
    case 'missing':
      return { why: `does not have the program of "${profile}"`, mayComeLater: true };
    case 'forbidden':
      return { why: `may not start "${profile}": its owner does not allow it`, mayComeLater: false };
    default:
      return null;
  }
}

/** Computes the processes that want a processor, per processor; null: not known. */
export function loadPerProcessor(condition: MachineCondition | null): number | null {
  return condition === null ? null : condition.load / condition.processors;
}

/** Lists warnings about a machine before anything fails there, each as words that follow its name. */
export function warningsOf(condition: MachineCondition | null, policy: Policy): readonly string[] {
  const short = [shortOfDisk(condition, policy), shortOfMemory(condition, policy)];
  return [
    ...[clockOff(condition, policy)].filter((words) => words !== null),
    ...short.flatMap((words) => (words === null ? [] : [`is short: ${words}`])),
  ];
}

/**
 * Warns of a wrong clock. Drover uses no machine's clock, but programs there do: git dates commits by it. Null: the clock is right, or
 * not known.
 */
export function clockOff(condition: MachineCondition | null, { placement }: Policy): string | null {
  const offsetMs = condition?.clockOffsetMs ?? 0;
  if (Math.abs(offsetMs) <= placement.clockOffsetMs) return null;
  return `has a clock that is ${clockOffsetText(offsetMs)}: dates of commits and in its log are wrong`;
}
