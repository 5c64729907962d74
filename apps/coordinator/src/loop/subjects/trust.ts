/**
 * Saves a person's decision on trust for all workers of a project. The project's row is locked when a question about trust opens and when one is
 * decided: a question opens before the decision and is answered by it, or opens after it and is answered at once.
 */
import { trusts } from '@drover/core';
import type { Decision, Trust, TrustKind } from '@drover/core';
import type { Cause, DueWork, Project, StoreTransaction } from '@drover/store';
import { audited } from '../../facts/people/audit-rows.ts';
import { workerEventDue } from '../event-due.ts';

/** Decisions by kind; null: none any more, so that a person is asked when a dialog asks. */
export type Decisions = Readonly<Partial<Record<TrustKind, boolean | null>>>;

/** Saves decisions, and answers the dialogs of workers that wait for them. @returns the project before; null if it is gone. */
export async function saveTrust(
  tx: StoreTransaction,
  { projectId, decisions, by, now }: { projectId: string; decisions: Decisions; by: Cause; now: number },
): Promise<Project | null> {
  const project = await tx.lockProject(projectId);
  if (project === null) return null;
  const { name, trust } = project;
  const after = { ...trust, ...decisions };
  const kept = Object.entries(after).filter(([, isTrusted]) => isTrusted !== null);
  await tx.setTrust(projectId, Object.fromEntries(kept) as Trust);
  await tx.audit(audited({ at: now, by, action: 'project-trusted', about: `project ${name}`, details: decisions }));
  const others = await tx.listRoster({ projectId });
  const waiting = others.filter(({ state: { incident } }) => incident.open?.escalated === true);
  await tx.schedule(
    waiting.map(({ id }) => trustDue(id, now)).toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  );
  return project;
}

/** Reads the decision that holds now, for a worker whose question about trust opens. The project stays locked. */
export async function decisionNow(
  tx: StoreTransaction,
  { projectId, kind }: { projectId: string; kind: TrustKind },
): Promise<boolean | undefined> {
  const project = await tx.lockProject(projectId);
  return project === null ? undefined : trusts(project.trust, kind);
}

/** Returns the decisions with those that a person takes by this answer: the command that carries it out must have them already. */
export function trustAfter({ trust }: Project, { records }: Pick<Decision, 'records'>): Trust {
  const taken = records.flatMap((entry) => (entry.kind === 'trust' ? [[entry.about, entry.isTrusted]] : []));
  return { ...trust, ...Object.fromEntries(taken) };
}

/** Has a worker look whether its dialog is decided. */
export function trustDue(workerId: string, now: number): DueWork {
  return workerEventDue(workerId, 'trust-decided', now);
}
