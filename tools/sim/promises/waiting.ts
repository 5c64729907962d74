// Looks for workers that merge without the lease, and for questions that wait for an answer and are not open.
import { needsLease } from '@drover/core';
import type { MemoryDatabase } from '@drover/store/testing';

interface Waiting {
  /** For each worker the problem with its lease; null: none. */
  readonly lease: () => Generator<string | null>;
  /** For each question that a worker waits for the problem with it; null: none. */
  readonly asked: () => Generator<string | null>;
}

export function waitingIn({ projects, workers, escalations }: MemoryDatabase): Waiting {
  return {
    *lease() {
      const holders = [...projects.values()].map(({ mergeWorkerId }) => mergeWorkerId);
      for (const { id, name, state } of workers.values()) {
        // A worker whose machine was silent for too long has lost the lease, and hears so before its next command: after the one in flight,
        // and after the pause of a machine that fails.
        const { inFlight, holdUntil } = state.command;
        const merges = needsLease(state.merge.step) && inFlight === null && holdUntil === null;
        yield !merges || holders.includes(id) ? null : `${name}: merges without the lease`;
      }
    },
    *asked() {
      const waiting = new Map<string, string>();
      for (const { id, state } of workers.values())
        if (state.incident.open?.escalated === true) waiting.set(state.incident.open.id, id);
      if (waiting.size === 0) return;
      const open = [...escalations.values()]
        .filter(({ status }) => status === 'open' || status === 'acked')
        .flatMap(({ members }) => members.filter(({ over }) => !over));
      for (const [incident, workerId] of waiting) {
        const isOpen = open.some((member) => member.incidentId === incident && member.workerId === workerId);
        yield isOpen ? null : `${workerId}: waits for an answer, and its question is not open`;
      }
    },
  };
}
