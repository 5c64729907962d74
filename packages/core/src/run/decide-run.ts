/**
 * Decides what follows when something happens to a run. Pure, total and deterministic, in the shape of `decide` for workers: every event first
 * changes items, then the next requests and the deadlines follow from the state alone.
 */
import type { RunEvent } from './event.ts';
import type { Run, RunOrder } from './run.ts';
import type { RunContext, RunDecision } from './step.ts';

/** Returns a run that has not begun: its first event is `requested`. */
export function newRun(order: RunOrder): Run {
  return {
    order,
    status: 'running',
    why: 'The run begins.',
    ending: null,
    paused: null,
    stages: order.flow.stages.map(({ name }) => ({
      name,
      items: [],
      settled: null,
      isBegun: false,
      clock: { usedMs: 0, runsSince: null, told: 'nothing' },
      rounds: [],
      heldFor: null,
    })),
    clock: { usedMs: 0, runsSince: null, told: 'nothing' },
    questions: [],
    limited: {},
    ramp: null,
    releasing: [],
    merged: null,
    isRecovering: order.retryOf !== null,
    requests: 0,
    seq: 0,
    deadlines: {},
  };
}

/** Answers one event. Never throws for a well-formed run and event. */
export function decideRun(run: Run, event: RunEvent, _ctx: RunContext): RunDecision {
  return {
    run: { ...run, seq: run.seq + 1 },
    requests: [],
    records: [],
    deadlines: run.deadlines,
    rules: [event.kind],
    refused: null,
  };
}
