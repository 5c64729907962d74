/** Looks what a machine holds of a worker before and after its place is made fresh, whatever its hands do. */
import type { CommandKind } from '@drover/core';
import type { Hands } from '@drover/machine-agent/testing';
import type { SimMachineParts } from './parts.ts';

/** Commands after which a place may hold less than before. */
const FRESH: ReadonlySet<CommandKind> = new Set<CommandKind>(['prepare', 'recycle', 'remove', 'restore']);

type Watched = Pick<SimMachineParts, 'clones' | 'watch' | 'broken'>;

/** Wraps the hands, which are broken on purpose on request, and notifies the watch. */
export function watchedHands({ clones, watch, broken }: Watched, whole: Hands): Hands {
  const hands = broken.tamperHands?.(whole, clones) ?? whole;
  return {
    ...hands,
    async carryOut(running, command) {
      if (!FRESH.has(command.kind)) return hands.carryOut(running, command);
      const { workerId, project } = running.settings;
      const git = clones.of(project.id);
      const before = git.worksHeld(workerId);
      const result = await hands.carryOut(running, command);
      const after = git.worksHeld(workerId);
      watch.madeFresh(
        workerId,
        [...before].filter((work) => !after.has(work)),
      );
      return result;
    },
  };
}
