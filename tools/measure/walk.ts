/** The walk from a screen to what is saved, and on to the command: the files that somebody opens who follows one reading. Kept by hand. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../checks/source/rooms.ts';

/** File in which the coordinator has the report. */
const REPORTED = 'apps/coordinator/src/use-cases/machines/observe.ts';

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
  REPORTED,
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

/** Files that capture the screen, and that read what its program says of itself. */
const SEEN_BY: readonly string[] = [
  'packages/tmux/src/panes/watch.ts',
  'packages/tmux/src/panes/capture.ts',
  'apps/machine-agent/src/signals/listener.ts',
  'apps/machine-agent/src/signals/hearing.ts',
  'apps/machine-agent/src/signals/records.ts',
  'apps/machine-agent/src/signals/transcript.ts',
];

/** Lists the files from a screen to its command. @throws if one is not there. */
export function filesOfWalk(): readonly string[] {
  return thoseThere(WALK);
}

/** Lists the files from a screen, and the program's own records, to the report that the coordinator has. @throws if one is not there. */
export function filesOfReport(): readonly string[] {
  return thoseThere([...SEEN_BY, ...WALK.slice(0, WALK.indexOf(REPORTED) + 1)]);
}

function thoseThere(files: readonly string[]): readonly string[] {
  const gone = files.filter((file) => !existsSync(path.join(REPOSITORY, file)));
  if (gone.length > 0) throw new Error(`tools/measure/walk.ts names files that are not there: ${gone.join(', ')}`);
  return files;
}
