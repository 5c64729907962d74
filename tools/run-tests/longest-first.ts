// The order of test files: long ones first, so that no worker is alone with one at the end of the run; files that mostly wait take turns with
// files that keep a processor busy.
//
// Vitest knows how long files took only where they ran before. In a fresh clone it goes by their sizes, which say little: a file of ten
// lines may play scenarios for a minute.
import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const REPOSITORY = path.join(import.meta.dirname, '../..');

/** Seconds of files that keep a processor busy, alone on two cores. A file of more than eight seconds belongs here or below (`npm run test:slow`). */
export const BUSY_FILES: Readonly<Record<string, number>> = {
  'tools/dashboard/pictures.nightly.test.ts': 60,
  'apps/cli/tests/servers/upgrade.nightly.test.ts': 150,
  'tools/dashboard/hostile.extended.test.ts': 60,
  'apps/cli/tests/servers/kill.nightly.test.ts': 78,
  'apps/cli/tests/recovery/turns/turns.nightly.test.ts': 60,
  'apps/cli/tests/recovery/samples.test.ts': 10,
  'apps/cli/tests/recovery/sessions/sessions.nightly.test.ts': 40,
  'apps/machine-agent/tests/delivery.nightly.test.ts': 40,
  'apps/cli/tests/train.nightly.test.ts': 40,
  'apps/cli/tests/runs/machines.nightly.test.ts': 40,
  'apps/cli/tests/recovery/sessions/killed-coordinator.nightly.test.ts': 35,
  'apps/machine-agent/tests/agent-dies.nightly.test.ts': 33,
  'apps/cli/tests/checkpoints.nightly.test.ts': 30,
  'packages/host/tests/ssh/contract.extended.test.ts': 30,
  'apps/cli/tests/recovery/dialogs/dialogs.nightly.test.ts': 30,
  'apps/cli/tests/runs/split.extended.test.ts': 25,
  'apps/cli/tests/runs/runs.test.ts': 15,
  'apps/cli/tests/doctor.nightly.test.ts': 26,
  'apps/machine-agent/tests/kill-anywhere.nightly.test.ts': 25,
  'tools/sim/sim.test.ts': 25,
  'apps/cli/tests/output/trust.extended.test.ts': 25,
  'apps/cli/tests/projects/transfer.nightly.test.ts': 22,
  'apps/cli/tests/workers/own-setup.nightly.test.ts': 22,
  'apps/cli/tests/recovery/workers/failed-accept.nightly.test.ts': 21,
  'packages/worktree/tests/kill/kill.nightly.test.ts': 21,
  'packages/store/tests/sql/world.extended.test.ts': 21,
  'tools/sim/tampering.nightly.test.ts': 20,
  'apps/cli/tests/recovery/workers/start-tools-review.nightly.test.ts': 20,
  'apps/cli/tests/recovery/sessions/alternatives.nightly.test.ts': 18,
  'packages/worktree/tests/crash.nightly.test.ts': 16,
  'packages/worktree/tests/histories/histories.nightly.test.ts': 16,
  'packages/embedded-postgres/tests/backups.nightly.test.ts': 15,
  'tools/over-ssh/subset.nightly.test.ts': 14,
  'apps/cli/tests/bad-input.nightly.test.ts': 14,
  'apps/machine-agent/tests/cage.extended.test.ts': 12,
  'apps/machine-agent/tests/set-up/set-up.extended.test.ts': 12,
  'packages/host/tests/ssh/trust.extended.test.ts': 12,
  'apps/cli/tests/policies.nightly.test.ts': 11,
  'apps/cli/tests/output/output.nightly.test.ts': 11,
  'apps/coordinator/tests/v1/contract.test.ts': 11,
  'packages/store/tests/transfer/transfer.nightly.test.ts': 10,
  'apps/coordinator/tests/people/route-matrix.test.ts': 10,
  'tools/sim/kills.extended.test.ts': 9,
  'apps/machine-agent/tests/ceilings.extended.test.ts': 9,
  'apps/cli/tests/runs/kill.nightly.test.ts': 25,
  'packages/protocol/src/redact/redactor-growth.extended.test.ts': 12,
  'packages/core/src/run/testing/promises.extended.test.ts': 9,
  'tools/checks/linear/linear.extended.test.ts': 10,
  'tools/sim/sql.nightly.test.ts': 8,
};

/** The same of files that wait for most of their time, as for a machine that is away. */
export const WAITING_FILES: Readonly<Record<string, number>> = {
  'tools/dashboard/broken.extended.test.ts': 60,
  'tools/dashboard/journeys.nightly.test.ts': 60,
  'apps/cli/tests/runs/budget.nightly.test.ts': 55,
  'tools/dashboard/runs.nightly.test.ts': 40,
  'apps/cli/tests/servers/used-root.nightly.test.ts': 25,
  'bench/dashboard/quiet.nightly.test.ts': 30,
  'apps/cli/tests/machines/three-machines.nightly.test.ts': 80,
  'apps/cli/tests/machines/over-ssh.nightly.test.ts': 60,
  'apps/cli/tests/recovery/accounts/limits.nightly.test.ts': 45,
  'apps/cli/tests/machines/move.nightly.test.ts': 42,
  'apps/cli/tests/servers/image.nightly.test.ts': 38,
  'apps/cli/tests/machines/home-project.nightly.test.ts': 38,
  'apps/cli/tests/example-bot.nightly.test.ts': 33,
  'apps/cli/tests/machines/remote-project.nightly.test.ts': 33,
  'packages/host/tests/ssh/faults.extended.test.ts': 30,
  'apps/cli/tests/recovery/machines/lost-machine.nightly.test.ts': 26,
  'apps/machine-agent/tests/after-enter.nightly.test.ts': 25,
  'apps/cli/tests/servers/functions.nightly.test.ts': 24,
  'apps/cli/tests/chat.nightly.test.ts': 23,
  'apps/cli/tests/workers/isolated.nightly.test.ts': 20,
  'packages/host/tests/ssh/servers.extended.test.ts': 17,
  'apps/coordinator/tests/due/clock-jump.nightly.test.ts': 16,
  'apps/cli/tests/servers/replicas.nightly.test.ts': 15,
  'tools/dashboard/journeys.test.ts': 15,
  'packages/host/tests/ssh/logins.extended.test.ts': 14,
  'apps/cli/tests/servers/down.nightly.test.ts': 13,
  'apps/machine-agent/tests/late-turn.extended.test.ts': 12,
  'apps/cli/tests/machines/identity.extended.test.ts': 12,
  'apps/machine-agent/tests/channels/opencode.test.ts': 11,
  'apps/cli/tests/workers/wrong-resolutions.nightly.test.ts': 11,
  'apps/machine-agent/tests/channels/codex.test.ts': 10,
  'apps/cli/tests/secrets.extended.test.ts': 10,
  'apps/cli/tests/queue.nightly.test.ts': 10,
  'apps/coordinator/tests/machines/machines.test.ts': 9,
  'apps/cli/tests/supplies.nightly.test.ts': 9,
  'apps/coordinator/tests/webhooks/webhooks.test.ts': 8,
};

/**
 * The long files first, then the others as Vitest would have them. Busy and waiting ones take turns: the longest wait most, and four that wait
 * side by side left the processors a fifth of the first minutes.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const waiting = longestFirst(others, WAITING_FILES).filter((file) => secondsOf(file, WAITING_FILES) > 0);
    const busy = longestFirst(others, BUSY_FILES).filter((file) => !waiting.includes(file));
    return inTurns(busy, waiting);
  }
}

/** The first of one, the first of the other, and so on; then what is left of the longer one. */
export function inTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  return [...one.flatMap((item, at) => [item, ...other.slice(at, at + 1)]), ...other.slice(one.length)];
}

type Seconds = Readonly<Record<string, number>>;

function longestFirst(files: readonly TestSpecification[], seconds: Seconds): TestSpecification[] {
  return files.toSorted((one, other) => secondsOf(other, seconds) - secondsOf(one, seconds));
}

function secondsOf({ moduleId }: TestSpecification, seconds: Seconds): number {
  return seconds[path.relative(REPOSITORY, moduleId)] ?? 0;
}
