// Which test files begin first? Those that take longest, so that no worker is alone with one of them at the end of the run.
//
// Vitest knows how long files took only where they ran before. In a fresh clone it goes by their sizes, which say little: a file of ten
// lines may play scenarios for a minute.
import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const REPOSITORY = path.join(import.meta.dirname, '../..');

/** Seconds, as `npm test` measured them alone on two cores. A file of more than eight seconds belongs here (`npm run test:slow`). */
export const LONG_FILES: Readonly<Record<string, number>> = {
  'apps/cli/tests/servers/kill.test.ts': 111,
  'apps/cli/tests/machines/three-machines.test.ts': 80,
  'apps/cli/tests/recovery/accounts/limits.test.ts': 45,
  'apps/cli/tests/machines/over-ssh.test.ts': 60,
  'apps/cli/tests/machines/move.test.ts': 42,
  'apps/machine-agent/tests/delivery.test.ts': 40,
  'apps/cli/tests/machines/home-project.test.ts': 38,
  'apps/cli/tests/recovery/sessions/killed-coordinator.test.ts': 35,
  'apps/machine-agent/tests/agent-dies.test.ts': 33,
  'apps/cli/tests/servers/image.test.ts': 38,
  'apps/cli/tests/example-bot.test.ts': 33,
  'apps/cli/tests/servers/functions.test.ts': 24,
  'apps/cli/tests/machines/remote-project.test.ts': 33,
  'packages/host/tests/ssh/contract.test.ts': 30,
  'packages/host/tests/ssh/faults.test.ts': 30,
  'apps/cli/tests/checkpoints.test.ts': 30,
  'apps/cli/tests/machines/older-agents.test.ts': 30,
  'apps/cli/tests/doctor.test.ts': 26,
  'apps/cli/tests/recovery/machines/lost-machine.test.ts': 26,
  'apps/machine-agent/tests/after-enter.test.ts': 25,
  'apps/cli/tests/recovery/turns/lost-input.test.ts': 25,
  'apps/cli/tests/projects/transfer.test.ts': 22,
  'apps/cli/tests/recovery/sessions/crash.test.ts': 22,
  'packages/store/tests/sql/world.test.ts': 21,
  'packages/host/tests/ssh/servers.test.ts': 17,
  'packages/host/tests/ssh/logins.test.ts': 14,
  'packages/host/tests/ssh/trust.test.ts': 12,
  'tools/over-ssh/subset.test.ts': 14,
  'packages/worktree/tests/kill/kill.test.ts': 21,
  'apps/cli/tests/recovery/workers/failed-accept.test.ts': 21,
  'apps/cli/tests/train.test.ts': 40,
  'apps/cli/tests/recovery/workers/start-tools-review.test.ts': 20,
  'apps/cli/tests/recovery/sessions/alternatives.test.ts': 18,
  'apps/cli/tests/recovery/turns/stuck.test.ts': 18,
  'packages/store/tests/sql/store.test.ts': 17,
  'tools/sim/sim.test.ts': 16,
  'packages/worktree/tests/crash.test.ts': 16,
  'packages/worktree/tests/histories/histories.test.ts': 16,
  'tools/sim/kills.test.ts': 9,
  'apps/cli/tests/servers/replicas.test.ts': 15,
  'packages/store/tests/embedded/backups.test.ts': 15,
  'apps/cli/tests/recovery/turns/no-progress.test.ts': 15,
  'apps/cli/tests/bad-input.test.ts': 14,
  'apps/cli/tests/workers/wrong-resolutions.test.ts': 11,
  'apps/cli/tests/recovery/dialogs/permissions.test.ts': 14,
  'apps/cli/tests/servers/down.test.ts': 13,
  'apps/machine-agent/tests/connection.test.ts': 12,
  'apps/machine-agent/tests/late-turn.test.ts': 12,
  'apps/cli/tests/machines/identity.test.ts': 12,
  'apps/cli/tests/output.test.ts': 11,
  'apps/cli/tests/policies.test.ts': 11,
  'apps/cli/tests/secrets.test.ts': 10,
  'apps/machine-agent/tests/kill-anywhere.test.ts': 25,
  'packages/store/tests/transfer/transfer.test.ts': 10,
  'apps/cli/tests/supplies.test.ts': 9,
  'apps/machine-agent/tests/ceilings.test.ts': 9,
  'tools/sim/sql.test.ts': 8,
};

/** The long files first, then the others as Vitest would have them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  return LONG_FILES[path.relative(REPOSITORY, moduleId)] ?? 0;
}
