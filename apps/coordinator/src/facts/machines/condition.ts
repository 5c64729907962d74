/** What a machine said of itself, as far as something goes by it: its programs, disk, memory, load and clock. */
import type { Policy, Spot } from '@drover/core';
import { clockOffsetText } from '@drover/protocol';
import type { Condition } from '@drover/protocol';
import type { Machine, MachineCondition, Space } from '@drover/store';

/** Machines say how they are once a minute: what is older than this, in milliseconds, is no reason for anything. */
export const CONDITION_HOLDS_MS = 10 * 60_000;

/** What is kept of it. The clocks are compared by the coordinator, so a machine cannot say that its own is right. */
export function heardCondition({ sentAt, ...said }: Condition, now: number): MachineCondition {
  return { ...said, at: now, clockOffsetMs: sentAt - now };
}

/** How the machine is; null: it has not said, or long ago. */
export function presentCondition({ condition }: Pick<Machine, 'condition'>, now: number): MachineCondition | null {
  return condition === null || now - condition.at > CONDITION_HOLDS_MS ? null : condition;
}

/** Why a machine is short of disk for new work; null: it is not, or that is not known. */
export function shortOfDisk(condition: MachineCondition | null, { placement }: Policy): string | null {
  return short('disk', condition?.disk ?? null, placement.diskBytesMin);
}

/** Why it is short of memory for a new worker. */
export function shortOfMemory(condition: MachineCondition | null, { placement }: Policy): string | null {
  return short('memory', condition?.memory ?? null, placement.memoryBytesMin);
}

function short(what: string, space: Space | null, least: number): string | null {
  if (space === null || space.freeBytes >= least) return null;
  return `${gib(space.freeBytes)} of ${what} are free, ${gib(least)} are the least for new work`;
}

function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

/** Why a profile's program cannot be started there; null: it can, or the machine has not said anything of it. */
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

/** Processes that want a processor, for each one that there is; null: not known. */
export function loadPerProcessor(condition: MachineCondition | null): number | null {
  return condition === null ? null : condition.load / condition.processors;
}

/** What a person should know of a machine before anything fails there, each as words that follow its name. */
export function warningsOf(condition: MachineCondition | null, policy: Policy): readonly string[] {
  const short = [shortOfDisk(condition, policy), shortOfMemory(condition, policy)];
  return [
    ...[clockOff(condition, policy)].filter((words) => words !== null),
    ...short.flatMap((words) => (words === null ? [] : [`is short: ${words}`])),
  ];
}

/** Drover goes by no machine's clock, but programs there do: git dates commits by it. Null: it is right, or not known. */
export function clockOff(condition: MachineCondition | null, { placement }: Policy): string | null {
  const offsetMs = condition?.clockOffsetMs ?? 0;
  if (Math.abs(offsetMs) <= placement.clockOffsetMs) return null;
  return `has a clock that is ${clockOffsetText(offsetMs)}: dates of commits and of its log are wrong`;
}
