/** Runs checks on one simulated machine for another, because the project names it. Asks with the real client, as for main. */
import type { Command, CommandResult } from '@drover/core';
import type { Query, QueryResult, WorkerSettings } from '@drover/protocol';
import { carryOutGit } from '@drover/testkit';
import type { SimGit } from '@drover/testkit';
import { askThere } from './elsewhere.ts';
import type { Asking } from './elsewhere.ts';
import type { MachineWatch } from './parts.ts';
import type { Tools } from './tools.ts';

/** Runs the checks on the machine that the command names. Outcomes are those of apps/machine-agent/src/execute/checks/elsewhere.ts. */
export async function checkThere(
  asking: Asking,
  { at, on }: { readonly at: Command<'validate'>['at']; readonly on: string },
): Promise<CommandResult> {
  const parcel = asking.machine.parts.parcels.send({ kind: 'work', commit: at.head, workerId: '' });
  const ended = await askThere(asking, { kind: 'checks', parcel, commit: at.head, tree: at.tree }).catch(
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'home-away')
        return { kind: 'failed', code: 'checks-away', message: error.message } as const;
      throw error;
    },
  );
  if (ended.kind === 'failed') {
    // Failures that are not about the parcel are a reason to run the checks at the work's own machine.
    const code = ended.code === 'parcel-gone' || ended.code === 'checks-away' ? ended.code : 'checks-stay';
    return { kind: 'failed', code, message: ended.message, retry: true };
  }
  if (ended.kind !== 'checks-ended') throw new Error(`Checks ended as "${ended.kind}"`);
  const { outcome } = ended;
  if (outcome.kind === 'incomplete') throw new Error('No simulated parcel is incomplete');
  return outcome.kind === 'changed' ? outcome : { ...outcome, on };
}

/** Runs the checks on the machine that the project names. */
export async function checkFor(
  { machine, link, mayDie }: Tools,
  { project }: WorkerSettings,
  { sha256, commit, tree }: Extract<Query, { kind: 'check-for' }>,
): Promise<QueryResult> {
  const { clones, parcels, random, luck, watch } = machine.parts;
  const git = clones.of(project.id);
  await mayDie();
  const parcel = random.chance(luck.parcel) ? null : parcels.fetch(sha256 ?? '');
  if (parcel?.kind !== 'work' || parcel.commit !== commit)
    return { kind: 'failed', code: 'parcel-gone', message: 'it was kept for too long' };
  const workerId = `checks ${commit}`;
  const checks = checksOf(project);
  const result = await link.carry(() => {
    git.ensureWorktree(workerId);
    const parts = { git, workerId, checks, luck: luck.git, workerNamed: () => undefined, onMerged: () => {} };
    const ended = carryOutGit(parts, { kind: 'validate', at: { head: commit, tree } });
    git.worktrees.delete(workerId);
    return ended;
  });
  noteRun(watch, git, { head: commit, kind: result.kind });
  await mayDie();
  switch (result.kind) {
    case 'valid':
    case 'invalid':
      return { kind: 'checks-ended', outcome: result };
    case 'failed':
      return { kind: 'failed', code: result.code, message: result.message };
    default:
      throw new Error(`Checks ended as "${result.kind}"`);
  }
}

/** The commands of a project as one line. */
export function checksOf({ validate }: WorkerSettings['project']): string {
  return validate.map((words) => words.join(' ')).join(' && ');
}

/** Reports passed checks to the checker; G3 is about them. */
export function noteRun(
  watch: Pick<MachineWatch, 'checked'>,
  git: SimGit,
  { head, kind }: { readonly head: string; readonly kind: CommandResult['kind'] },
): void {
  if (kind !== 'valid' && kind !== 'invalid') return;
  const parent = git.parentOf(head);
  const before = parent === null ? null : git.treeOf(parent);
  watch.checked({ isPassed: kind === 'valid', tree: git.treeOf(head), before, worker: git.owners.get(head) });
}
