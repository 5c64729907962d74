/** Do the decisions of one batch see what those before them saved, although it is saved together? */
import type { ErrorRow, IncidentRow, PlaceRow, SavedDecision, StoreTransaction, WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { together } from './batch-transaction.ts';

const ON = { machineId: 'm' };

/** What is asked of the database, in order. */
class Asked {
  readonly calls: string[] = [];

  readonly tx = {
    lockWorkers: async (ids: readonly string[]) => {
      this.calls.push(`lock ${ids.join(' ')}`);
      return ids.map(rowOf);
    },
    lockWorker: async (id: string) => {
      this.calls.push(`lock ${id}`);
      return rowOf(id);
    },
    saveDecisions: async (decisions: readonly SavedDecision[]) => {
      this.calls.push(`save ${decisions.map(({ row }) => row.id).join(' ')}`);
    },
    readMachine: async (id: string) => this.#said(`machine ${id}`),
    readProject: async (id: string) => this.#said(`project ${id}`),
    lockProject: async (id: string) => this.#said(`lock project ${id}`),
    finishCommand: async () => void this.calls.push('result'),
    saveIncident: async () => void this.calls.push('incident'),
    insertError: async () => void this.calls.push('error'),
    lockEscalation: async () => this.#said('lock question'),
    listPeople: async () => this.#said('people'),
    listPlaces: async () => this.#said('places'),
    listSilences: async () => this.#said('silences'),
    savePlace: async () => void this.calls.push('save place'),
    listWorkers: async () => {
      this.calls.push('list');
      return [];
    },
  } as unknown as StoreTransaction;

  #said(what: string): null {
    this.calls.push(what);
    return null;
  }
}

function rowOf(id: string): WorkerRow {
  return { id, machineId: 'm' } as WorkerRow;
}

async function decide(tx: StoreTransaction, id: string): Promise<void> {
  const row = await tx.lockWorker(id, ON);
  if (row !== null) await tx.saveDecisions([{ row } as SavedDecision]);
}

test('given several workers, when one decision after the other is taken, then they are locked at once and saved at once', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: ['a', 'b', 'c'] }, async (tx) => {
    for (const id of ['a', 'b', 'c']) {
      await decide(tx, id);
      await tx.finishCommand({ id, machineId: 'm', command: null, result: { kind: 'closed' } }, 1);
    }
  });

  expect(calls).toEqual(['lock a b c', 'result', 'result', 'result', 'save a b c']);
});

test('given a second decision on one worker, when it is taken, then the first is saved and the worker read again', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: ['a', 'b'] }, async (tx) => {
    for (const id of ['a', 'b', 'a']) await decide(tx, id);
  });

  expect(calls).toEqual(['lock a b', 'save a b', 'lock a', 'save a']);
});

test('given a call that may see what was decided, when it comes, then that is saved before it', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: ['a', 'b'] }, async (tx) => {
    await decide(tx, 'a');
    await tx.listWorkers({});
    await decide(tx, 'b');
  });

  expect(calls).toEqual(['lock a b', 'save a', 'list', 'save b']);
});

test('given what stands beside a decision, when it is written, then the decisions wait until a question is locked', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: ['a', 'b'] }, async (tx) => {
    for (const id of ['a', 'b']) {
      await decide(tx, id);
      await tx.saveIncident({} as IncidentRow);
      await tx.insertError({} as ErrorRow);
    }
    await tx.lockEscalation('q');
  });

  expect(calls).toEqual(['lock a b', 'incident', 'error', 'incident', 'error', 'save a b', 'lock question']);
});

test('given a worker that is on another machine, when it is asked for there, then the database says so', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: ['a'] }, (tx) => tx.lockWorker('a', { machineId: 'other' }));

  expect(calls).toEqual(['lock a', 'lock a']);
});

test('given a decision that fails, when the batch ends with it, then nothing that waited is saved', async () => {
  const { calls, tx: given } = new Asked();

  const failing = together(given, { ...ON, workerIds: ['a'] }, async (tx) => {
    await decide(tx, 'a');
    throw new Error('no');
  });

  await expect(failing).rejects.toThrow('no');
  expect(calls).toEqual(['lock a']);
});

test('given decisions that read the same project and machine, when one may have changed them, then the database is asked again', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: [] }, async (tx) => {
    for (const id of ['p', 'p', 'q']) await tx.readProject(id);
    for (const id of ['m', 'm']) await tx.readMachine(id);
    await tx.lockProject('p');
    await tx.readProject('p');
    await tx.readMachine('m');
  });

  const again = ['lock project p', 'project p', 'machine m'];
  expect(calls).toEqual(['lock ', 'project p', 'project q', 'machine m', ...again]);
});

test('given several questions, when it is asked who is called, then it is read once, and places again after one was added', async () => {
  const { calls, tx: given } = new Asked();

  await together(given, { ...ON, workerIds: [] }, async (tx) => {
    for (const now of [1, 2]) {
      await tx.listSilences(now);
      await tx.listPeople();
      await tx.listPlaces();
    }
    await tx.savePlace({} as PlaceRow);
    await tx.listPeople();
    await tx.listPlaces();
  });

  expect(calls).toEqual(['lock ', 'silences', 'people', 'places', 'save place', 'places']);
});
