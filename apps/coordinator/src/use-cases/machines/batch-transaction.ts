/** How do the decisions of one batch share a transaction? They ask the database for what they need of it together. */
import type { SavedDecision, StoreTransaction, WorkerRow } from '@drover/store';

/**
 * Calls that neither read nor change what a decision saves: the worker's row, its deadlines, its commands, its history, and the audit. Nor do
 * they lock what others hold while they wait for the audit: a question is locked after it, always.
 */
const APART = new Set<keyof StoreTransaction>([
  'readMachine',
  'readProject',
  'finishCommand',
  'dropCommandsBefore',
  'insertCommands',
  'saveIncident',
  'insertError',
  'lastErrorOf',
  'markErrorsRecovered',
  'insertEpisode',
  'listEpisodes',
  'listEscalations',
]);

/** The workers that a batch is about, and the machine that they must be on. */
interface Members {
  readonly machineId: string;
  readonly workerIds: readonly string[];
}

/**
 * Runs the decisions of a batch on the transaction, whose workers are locked in one statement. What is decided of several is saved in one,
 * before anything that may depend on it, and at the end.
 */
export async function together<T>(
  given: StoreTransaction,
  { machineId, workerIds }: Members,
  decide: (tx: StoreTransaction) => Promise<T>,
): Promise<T> {
  const rows = await given.lockWorkers(workerIds, { machineId });
  const held = new Map(rows.map((row) => [row.id, row]));
  const waiting: SavedDecision[] = [];
  const save = async (): Promise<void> => {
    if (waiting.length > 0) await given.saveDecisions(waiting.splice(0));
  };
  const result = await decide({
    ...afterSaving(remembering(given), save),
    lockWorker: async (id, on) => {
      const row = held.get(id);
      // Each row is given once: after a decision on it, the row that counts is the one in the database.
      held.delete(id);
      if (row !== undefined && isOn(row, on)) return row;
      await save();
      return given.lockWorker(id, on);
    },
    saveDecisions: async (decisions) => void waiting.push(...decisions),
  });
  await save();
  return result;
}

function isOn({ machineId }: WorkerRow, on: { readonly machineId: string } | undefined): boolean {
  return on === undefined || on.machineId === machineId;
}

/** The transaction, in which each call but those that stand apart begins with this. */
function afterSaving(tx: StoreTransaction, save: () => Promise<void>): StoreTransaction {
  const calls = Object.entries(tx).map(([name, call]) => {
    if (APART.has(name as keyof StoreTransaction)) return [name, call];
    const after = async (...args: readonly unknown[]): Promise<unknown> => {
      await save();
      return (call as (...all: readonly unknown[]) => unknown)(...args);
    };
    return [name, after];
  });
  return Object.fromEntries(calls) as StoreTransaction;
}

/**
 * The transaction, with a memory for what the decisions of a batch read again and again and do not write: the machine and the projects, and
 * who is called about a question. What may change them is passed on, and forgets them.
 */
function remembering(tx: StoreTransaction): StoreTransaction {
  const machines = new Map<string, ReturnType<StoreTransaction['readMachine']>>();
  const projects = new Map<string, ReturnType<StoreTransaction['readProject']>>();
  const people = new Map<'all', ReturnType<StoreTransaction['listPeople']>>();
  const places = new Map<'all', ReturnType<StoreTransaction['listPlaces']>>();
  // One that ends within the batch is among them still; who asks about a moment looks at its end.
  const silences = new Map<'all', ReturnType<StoreTransaction['listSilences']>>();
  const ofFleet = [machines, projects];
  return {
    ...tx,
    readMachine: (id) => remembered(machines, id, () => tx.readMachine(id)),
    readProject: (id) => remembered(projects, id, () => tx.readProject(id)),
    listPeople: () => remembered(people, 'all', () => tx.listPeople()),
    listPlaces: () => remembered(places, 'all', () => tx.listPlaces()),
    listSilences: (now) => remembered(silences, 'all', () => tx.listSilences(now)),
    lockProject: forgetting(tx.lockProject, ofFleet),
    setMergeWorker: forgetting(tx.setMergeWorker, ofFleet),
    setTrust: forgetting(tx.setTrust, ofFleet),
    saveCheckout: forgetting(tx.saveCheckout, ofFleet),
    saveCordon: forgetting(tx.saveCordon, ofFleet),
    saveTerms: forgetting(tx.saveTerms, ofFleet),
    savePlace: forgetting(tx.savePlace, [places]),
  };
}

function remembered<Key, T>(known: Map<Key, T>, key: Key, read: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = read();
  known.set(key, value);
  return value;
}

function forgetting<Given extends readonly unknown[], T>(
  call: (...given: Given) => T,
  memories: readonly { readonly clear: () => void }[],
): (...given: Given) => T {
  return (...given) => {
    for (const memory of memories) memory.clear();
    return call(...given);
  };
}
