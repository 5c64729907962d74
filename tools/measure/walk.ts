/** The walk from a screen to what is saved, and on to the command: the files that somebody opens who follows one reading. Kept by hand. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../checks/source/rooms.ts';

/** Files in the sequence of the walk: an import or the wire leads from each file to the next. Files that only hold types are not on it. */
const WALK: readonly string[] = [
  // The machine captures the pane, reads it, keeps what is new, and sends it.
  'apps/machine-agent/src/panes/panes.ts',
  'apps/machine-agent/src/panes/pane.ts',
  'packages/screen/src/detect.ts',
  'apps/machine-agent/src/panes/novelty.ts',
  'apps/machine-agent/src/store/outbox.ts',
  'apps/machine-agent/src/sync/exchange.ts',
  'apps/machine-agent/src/sync/socket-link.ts',
  // The coordinator takes it, with others of its batch.
  'apps/coordinator/src/agent/socket.ts',
  'apps/coordinator/src/agent/sync.ts',
  'apps/coordinator/src/loop/batches.ts',
  'apps/coordinator/src/use-cases/machines/observe.ts',
  // Decides.
  'apps/coordinator/src/loop/handle-events.ts',
  'apps/coordinator/src/loop/shared.ts',
  'packages/core/src/decide.ts',
  'packages/core/src/decision/step.ts',
  'packages/core/src/events/screen.ts',
  'packages/core/src/next/command.ts',
  'packages/core/src/next/deadlines.ts',
  // Saves.
  'apps/coordinator/src/loop/changes.ts',
  'apps/coordinator/src/loop/rows.ts',
  'packages/store/src/sql/decision.ts',
  // The machine fetches the command and does it.
  'packages/store/src/sql/commands.ts',
  'apps/machine-agent/src/execute/executor.ts',
  'apps/machine-agent/src/store/journal.ts',
  'apps/machine-agent/src/execute/carry-out.ts',
];

/** @throws if a file of the walk is not there. */
export function filesOfWalk(): readonly string[] {
  const gone = WALK.filter((file) => !existsSync(path.join(REPOSITORY, file)));
  if (gone.length > 0) throw new Error(`tools/measure/walk.ts names files that are not there: ${gone.join(', ')}`);
  return WALK;
}
