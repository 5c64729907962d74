/**
 * Runs the doctor: finds contradictions, repairs them, and names the workers that come back. (docs/recovery-reference.md, state that
 * contradicts itself)
 */
import { messageOf } from '@drover/base';
import type { Actor, CuredView, DoctorFleet, FindingView } from '@drover/api';
import { causeOf } from '../../facts/people/causes.ts';
import { listProfiles } from '../../facts/workers/profiles.ts';
import type { Context } from '../../context/context.ts';
import { examineMachines } from './machines.ts';
import { examineChats } from './chats.ts';
import { gatherFacts } from './facts.ts';
import type { DoctorParts } from './facts.ts';
import { examinePlaces } from './places.ts';
import { plannedRebuilds } from './rebuild.ts';
import type { PlannedRebuild } from './rebuild.ts';
import { plannedRepairs } from './repairs.ts';
import type { PlannedRepair } from './repairs.ts';
import { examineReports } from './reports.ts';
import { examineProfiles } from './profiles.ts';
import { examineTokens } from './tokens.ts';
import { examineDueWork } from './due-work.ts';
import { problem } from './finding.ts';
import { examineRows, examineSchemaFacts } from './rows.ts';
import { beginWorker } from '../../loop/begin-worker.ts';
import { handleEvent } from '../../loop/handle-events.ts';

/** Creates the doctor's use cases. Every repair reads the row again first: the finding may be over. */
export function createDoctorFleet(ctx: Context, parts: DoctorParts): DoctorFleet {
  const rebuildParts = { defaults: parts.defaults, uuid: () => ctx.ids.uuid() };
  return {
    diagnose: async () => {
      const facts = await gatherFacts(ctx, parts);
      return {
        findings: [
          ...(await schemaFindings(parts)),
          ...examineRows(facts),
          ...examinePlaces(facts),
          ...examineMachines(facts, ctx.policy),
          ...(await examineReports(ctx, facts.machines)),
          ...(await examineChats(ctx)),
          ...(await examineTokens(ctx)),
          ...(await examineDueWork(ctx)),
          ...examineProfiles(await listProfiles(ctx)),
        ],
        repairs: plannedRepairs(facts).map(({ key, worker, does }) => ({ key, worker, does })),
        rebuilds: plannedRebuilds(facts, rebuildParts).map(({ key, worker, machine, does }) => ({
          key,
          worker,
          machine,
          does,
        })),
      };
    },
    repair: async ({ keys }, by) => {
      const planned = plannedRepairs(await gatherFacts(ctx, parts));
      return cure(keys, planned, (one) => repairOne(ctx, one, by));
    },
    rebuild: async ({ keys }, by) => {
      const planned = plannedRebuilds(await gatherFacts(ctx, parts), rebuildParts);
      return { kind: 'ok', value: await cure(keys, planned, (one) => rebuildOne(ctx, one, by)) };
    },
  };
}

async function schemaFindings({ schema }: DoctorParts): Promise<readonly FindingView[]> {
  if (schema === undefined) return [];
  try {
    return examineSchemaFacts(await schema());
  } catch (error) {
    const says = `cannot be examined: ${messageOf(error)}`;
    return [problem('schema', 'database', { says, help: 'drover doctor' })];
  }
}

async function cure<T extends { readonly key: string }>(
  keys: readonly string[],
  planned: readonly T[],
  run: (one: T) => Promise<CuredView>,
): Promise<CuredView[]> {
  const done: CuredView[] = [];
  for (const key of keys) {
    const one = planned.find((candidate) => candidate.key === key);
    done.push(one === undefined ? { key, done: false, says: 'is no longer needed' } : await run(one));
  }
  return done;
}

/** Repairs by the policy, under the row's lock, as a line of the worker's history. */
async function repairOne(ctx: Context, { key, workerId, repair, does }: PlannedRepair, by: Actor): Promise<CuredView> {
  const requestId = ctx.ids.uuid();
  const handled = await ctx.store.transaction((tx) =>
    handleEvent(ctx, tx, { workerId, event: { kind: 'repair-requested', repair }, by: causeOf(by), requestId }),
  );
  handled?.hint();
  if (handled === null) return { key, done: false, says: 'the worker is gone' };
  const { reply } = handled;
  return reply.kind === 'refused' ? { key, done: false, says: reply.message } : { key, done: true, says: does };
}

/** Begins the worker again, unless it is there. */
async function rebuildOne(ctx: Context, { key, row, events, does }: PlannedRebuild, by: Actor): Promise<CuredView> {
  const outcomes = await ctx.store.transaction(async (tx) => {
    if ((await tx.lockWorker(row.id)) !== null) return null;
    const asked = events.map((event) => {
      const requestId = event.kind === 'repair-requested' ? { requestId: ctx.ids.uuid() } : {};
      return { event, by: causeOf(by), ...requestId };
    });
    return beginWorker(ctx, tx, { row, events: asked });
  });
  for (const outcome of outcomes ?? []) outcome?.hint();
  return outcomes === null ? { key, done: false, says: 'already exists' } : { key, done: true, says: does };
}
