/** Finds everything that waits for a person, the longest first. Decides nothing: each card stands for a state that the coordinator tells. */
import type { EscalationView, WorkerView } from '@drover/api';
import type { Fleet } from './rows.ts';

/** Something that waits for a person. `since`: epoch milliseconds. */
export type Card =
  | {
      readonly kind: 'question';
      readonly id: string;
      readonly since: number;
      readonly question: EscalationView;
      /** The worker that asks; undefined: it was removed meanwhile. */
      readonly worker: WorkerView | undefined;
    }
  /** Work that waits for review, an agent that waits for words, or a worker that Drover has given up on. */
  | {
      readonly kind: 'review' | 'words' | 'failure';
      readonly id: string;
      readonly since: number;
      readonly worker: WorkerView;
    }
  /** A silent machine, with all its workers. */
  | {
      readonly kind: 'machine';
      readonly id: string;
      readonly since: number;
      readonly machine: string;
      readonly workers: readonly WorkerView[];
    };

/** Lists the cards, the longest wait first. */
export function cardsOf({ workers, questions }: Pick<Fleet, 'workers' | 'questions'>): readonly Card[] {
  const all = [...workers.values()];
  const byName = Map.groupBy(all, ({ name }) => name);
  const asked = [...questions.values()];
  const isAsked = new Set(
    asked.flatMap(({ workers: members, worker }) => [worker, ...members.map((one) => one.worker)]),
  );
  const cards: Card[] = [
    ...asked.map((question): Card => {
      const worker = byName.get(question.worker)?.find(({ project }) => project === question.context.project);
      return { kind: 'question', id: question.id, since: question.createdAt, question, worker };
    }),
    ...all.flatMap((worker): readonly Card[] => {
      const kind = KINDS[worker.status];
      const isBusy = worker.accepting !== null || worker.offered !== null || worker.moving !== null;
      // The work of a run is its run's, which asks for itself.
      if (kind === 'review' && worker.run !== null) return [];
      if (kind === undefined || isBusy || (kind !== 'review' && isAsked.has(worker.name))) return [];
      return [{ kind, id: worker.id, since: worker.since, worker }];
    }),
    ...silentMachines(all),
  ];
  return cards.toSorted((one, other) => one.since - other.since || (one.id < other.id ? -1 : 1));
}

const KINDS: Readonly<Partial<Record<WorkerView['status'], 'review' | 'words' | 'failure'>>> = {
  needs_review: 'review',
  needs_input: 'words',
  error: 'failure',
};

function silentMachines(workers: readonly WorkerView[]): readonly Card[] {
  const silent = workers.filter(({ machineState }) => machineState === 'disconnected');
  return [...Map.groupBy(silent, ({ machine }) => machine)].map(([machine, own]) => ({
    kind: 'machine',
    id: `machine ${machine}`,
    // The rows do not say since when it is silent; none of its workers can have changed since.
    since: Math.max(...own.map(({ since }) => since)),
    machine,
    workers: own,
  }));
}

/** Answer on its way, as the cards need it. */
interface SentAnswer {
  readonly question: EscalationView;
  readonly before: WorkerView | undefined;
  readonly fate: { readonly kind: 'sending' | 'accepted' | 'refused' };
}

/** Keeps an answered question at its place: its agent still shows the dialog for a moment, and waits for no other words. */
export function withSent(cards: readonly Card[], sent: readonly SentAnswer[]): readonly Card[] {
  const listed = new Set(cards.map(({ id }) => id));
  const answered = sent.filter(({ question }) => !listed.has(question.id));
  if (answered.length === 0) return cards;
  const onTheirWay = new Set(answered.map(({ before, fate }) => (fate.kind === 'refused' ? undefined : before?.id)));
  return [
    ...cards.filter(({ kind, id }) => (kind !== 'words' && kind !== 'failure') || !onTheirWay.has(id)),
    ...answered.map(({ question, before }): Card => {
      const { id, createdAt: since } = question;
      return { kind: 'question', id, since, question, worker: before };
    }),
  ].toSorted((one, other) => one.since - other.since);
}

/** Counts of the line under the cards. */
export interface Counts {
  readonly working: number;
  readonly toReview: number;
  readonly idle: number;
  readonly offline: number;
}

export function countsOf(workers: Iterable<WorkerView>): Counts {
  const all = [...workers];
  const count = (...statuses: readonly WorkerView['status'][]): number =>
    all.filter(({ status }) => statuses.includes(status)).length;
  return {
    working: count('working', 'rejected', 'rebasing'),
    toReview: all.filter(({ status, run }) => status === 'needs_review' && run === null).length,
    idle: count('idle'),
    offline: count('offline'),
  };
}
