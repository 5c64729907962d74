/** Faults planted around the way of a worker to another machine. */
import { decide } from '../decide.ts';
import { changeSlices } from './change.ts';
import { afterwards, misread, row } from './plant.ts';
import type { Planted } from './plant.ts';

/** Faults, at least two for each rule of moves. */
export const PLANTED_IN_MOVES: readonly Planted[] = [
  {
    rule: 'M1',
    fault: 'comes back without asking the machine on which its agent was started',
    decide: (worker, event, ctx) => {
      const { move } = worker;
      const isShown = move.kind === 'arriving' && move.step === 'show' && event.kind === 'move-cancel-requested';
      if (!isShown) return decide(worker, event, ctx);
      return decide(changeSlices(worker, { move: { ...move, step: 'restore' } }), event, ctx);
    },
  },
  {
    rule: 'M1',
    fault: 'carries the work away while its agent goes on',
    decide: (worker, event, ctx) => {
      const { move } = worker;
      if (move.kind !== 'leaving' || event.kind !== 'command-finished') return decide(worker, event, ctx);
      const carried = {
        kind: 'carrying',
        route: move.route,
        luggage: { commit: 'c', conversation: null },
        since: ctx.now,
      } as const;
      return decide(
        changeSlices(worker, { move: carried }),
        { kind: 'move-carried', move: move.route.id, fresh: null },
        ctx,
      );
    },
  },
  {
    rule: 'M2',
    fault: 'takes a start of the agent for a sight of it',
    decide: afterwards((decision, before) => {
      const { move } = before;
      const isStarted =
        move.kind === 'arriving' && move.step === 'show' && decision.worker.session.pane.kind === 'starting';
      if (!isStarted) return decision;
      const { id, from } = move.route;
      const left = { kind: 'place-left', machine: from.id, move: id } as const;
      const worker = changeSlices(decision.worker, { move: { kind: 'none' } });
      return { ...decision, worker, records: [...decision.records, left] };
    }),
  },
  {
    rule: 'M2',
    fault: 'clears the place that the worker comes back to',
    decide: afterwards((decision) => ({
      ...decision,
      records: decision.records.map((entry) => {
        const { move } = decision.worker;
        if (entry.kind !== 'place-left' || move.kind !== 'returning') return entry;
        return { ...entry, machine: move.route.from.id };
      }),
    })),
  },
  {
    rule: 'M3',
    fault: 'waits for what is carried without an end',
    decide: row(({ move, deadlines }) => {
      const { move: _never, ...others } = deadlines;
      return move.kind === 'carrying' ? { deadlines: others } : {};
    }),
  },
  {
    rule: 'M3',
    fault: 'starts the agent in a place that could not be let in',
    decide: misread((result, { command, move }) =>
      result.kind === 'failed' && move.kind === 'arriving' && command.inFlight?.command.kind === 'let-in'
        ? { kind: 'let-in' }
        : result,
    ),
  },
];
