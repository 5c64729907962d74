/** Plans repairs of contradictions that lose nothing. */
import type { RepairView } from '@drover/api';
import type { GitFacts, Repair } from '@drover/core';
import type { Inventory } from '@drover/protocol';
import type { WorkerRow } from '@drover/store';
import type { DoctorFacts } from './facts.ts';
import { commandsAhead } from './places.ts';
import { futureTimesOf, lacksCommit, lacksPrompt } from './rows.ts';

/** A repair with the data to carry it out. */
export interface PlannedRepair extends RepairView {
  readonly workerId: string;
  readonly repair: Repair;
}

/** Lists all repairs, in an order in which none needs a later one. */
export function plannedRepairs(facts: DoctorFacts): readonly PlannedRepair[] {
  return facts.workers.flatMap((row) => repairsOf(facts, row).map(({ does, repair }) => plan(row, does, repair)));
}

function plan({ id, name }: WorkerRow, does: string, repair: Repair): PlannedRepair {
  return { key: `${name}:${repair.kind}:${id}`, worker: name, workerId: id, does, repair };
}

function repairsOf(facts: DoctorFacts, row: WorkerRow): readonly { does: string; repair: Repair }[] {
  const place = facts.places.find(
    ({ machine, project }) => machine.id === row.machineId && project.id === row.projectId,
  );
  const inventory = place?.inventory ?? null;
  const future = futureTimesOf(row, facts.now);
  const seen = inventory === null ? 0 : commandsAhead(inventory, row);
  return [
    ...(seen > 0
      ? [
          {
            does: `continues the numbers of its commands after ${seen}`,
            repair: { kind: 'commands', atLeast: seen } as const,
          },
        ]
      : []),
    ...(future.length > 0 ? [{ does: `sets ${future.join(', ')} to now`, repair: { kind: 'times' } as const }] : []),
    ...(lacksCommit(row) ? reviewOf(row, inventory) : []),
    ...(lacksPrompt(row)
      ? [askPerson('at work without a recorded prompt: check its session, then send it a message')]
      : []),
  ];
}

/** Plans the repair of a review. Without the machine HEAD is unknown: then nothing is repaired. */
function reviewOf(row: WorkerRow, inventory: Inventory | null): readonly { does: string; repair: Repair }[] {
  if (inventory === null) return [];
  const git = gitFactsOf(inventory, row.name);
  if (git === null || git.ahead === 0)
    return [askPerson('waited for review without a commit: check its worktree, then send it a message')];
  return [{ does: `puts HEAD, "${git.subject}", up for review`, repair: { kind: 'take-head', git } }];
}

function askPerson(why: string): { does: string; repair: Repair } {
  return { does: `becomes needs_input: ${why}`, repair: { kind: 'ask', why } };
}

/** Reads git's facts about a worker's branch and worktree; null when either is missing. */
export function gitFactsOf({ branches, worktrees }: Inventory, name: string): GitFacts | null {
  const branch = branches.find((one) => one.name === name);
  const worktree = worktrees.find((one) => one.name === name && !one.gone);
  if (branch === undefined || worktree === undefined) return null;
  const { head, ahead, subject } = branch;
  return { head, ahead, subject, dirty: worktree.dirty ?? 0, rebasing: worktree.rebasing, unmerged: worktree.unmerged };
}
