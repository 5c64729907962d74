/** Answers for a simulated machine about a worker that comes from another machine, or has gone to one. */
import type { DeliveryContext, FrozenPlaces } from '@drover/machine-agent/testing';
import type { Query, QueryResult } from '@drover/protocol';
import { carryOutGit } from '@drover/testkit';
import type { SimGit } from '@drover/testkit';
import type { Parcel } from './parcels.ts';
import type { MachineBody } from './parts.ts';

const KINDS = [
  'expect',
  'tips',
  'pack',
  'unpack',
  'pack-conversation',
  'place-conversation',
  'leave-place',
] as const satisfies readonly Query['kind'][];

type OfMove = Extract<Query, { kind: (typeof KINDS)[number] }>;

/** Tells whether a query is part of a move. */
export function isOfMove(query: Query): query is OfMove {
  return KINDS.some((kind) => kind === query.kind);
}

/** Parts that answer a query of a move. */
interface Asked {
  readonly machine: MachineBody;
  readonly mayDie: () => Promise<void>;
  /** The clone of the worker's project. */
  readonly git: SimGit;
  readonly knownWorkers: DeliveryContext['knownWorkers'];
  readonly frozenPlaces: FrozenPlaces;
  readonly workerId: string;
}

/** Each machine has a clone of its own. The agent may die before and after anything that it does. */
export async function answerForMove(asked: Asked, query: OfMove): Promise<QueryResult> {
  const { machine, workerId, frozenPlaces } = asked;
  const { random, luck } = machine.parts;
  const { git } = asked;
  await asked.mayDie();
  if (random.chance(luck.git.failing) && query.kind !== 'expect') return FULL;
  switch (query.kind) {
    case 'expect':
      if (machine.isUninstalled) return failed('program-missing', 'no such program');
      if (machine.panes.get(workerId)?.program.end === null) return failed('session-here', 'a session of it runs here');
      if (query.move !== null) await frozenPlaces.freeze(workerId, query.move);
      return { kind: 'expected', version: '1', keeps: true };
    case 'tips':
      return { kind: 'tips', commits: [git.tip] };
    case 'pack':
      if (query.of === 'run') return packOfRun(asked, query.commit);
      return query.of === 'work' ? packWork(asked, query.commit) : pack(asked, query.commit);
    case 'unpack':
      return unpack(asked, query);
    case 'pack-conversation':
      return packConversation(asked, query.conversation);
    case 'place-conversation':
      return placeConversation(asked, query);
    case 'leave-place':
      return leavePlace(asked, query.move);
    default:
      return query satisfies never;
  }
}

function pack({ machine, git }: Asked, commit: string): QueryResult {
  const { parcels } = machine.parts;
  const save = git.saves.get(commit);
  if (save === undefined) return failed('missing', `the clone has no ${commit}`);
  return { kind: 'packed', ...parcels.send({ kind: 'checkpoint', commit, save }) };
}

/** Packs only the commit that people have seen on its branch. */
function packWork({ machine, git, workerId }: Asked, commit: string): QueryResult {
  const { parcels } = machine.parts;
  if (git.worktrees.get(workerId)?.head !== commit) return failed('work-changed', 'a commit came after it');
  return { kind: 'packed', ...parcels.send({ kind: 'work', commit, workerId }) };
}

/** Packs only a commit that this machine keeps for a run. */
function packOfRun({ machine, git }: Asked, commit: string): QueryResult {
  if (![...git.pins.values()].some((commits) => commits.has(commit))) return failed('missing', `no run has ${commit}`);
  return { kind: 'packed', ...machine.parts.parcels.send({ kind: 'work', commit, workerId: '' }) };
}

async function unpack(
  { machine, mayDie, git }: Asked,
  query: Extract<OfMove, { kind: 'unpack' }>,
): Promise<QueryResult> {
  const parcel = fetched(machine, query.sha256);
  if ('code' in parcel) return parcel;
  if (parcel.kind !== 'checkpoint' || parcel.commit !== query.commit)
    return failed('parcel-damaged', 'it holds another commit');
  if (machine.parts.random.chance(machine.parts.luck.parcel))
    return { kind: 'incomplete', missing: [parcel.save.head] };
  git.saves.set(query.commit, parcel.save);
  await mayDie();
  return { kind: 'unpacked' };
}

function packConversation({ machine, knownWorkers }: Asked, wanted: string): QueryResult {
  const name = knownWorkers.conversationNamed(wanted);
  const words = machine.transcripts.get(name);
  if (words === undefined) return failed('no-conversation', 'it keeps none');
  return { kind: 'packed', ...machine.parts.parcels.send({ kind: 'conversation', words }), name };
}

async function placeConversation(
  { machine, mayDie, knownWorkers }: Asked,
  { sha256, name, conversation }: Extract<OfMove, { kind: 'place-conversation' }>,
): Promise<QueryResult> {
  const parcel = fetched(machine, sha256);
  if ('code' in parcel) return parcel;
  if (parcel.kind !== 'conversation') return failed('parcel-damaged', 'it is no conversation');
  machine.transcripts.set(name, [...parcel.words]);
  knownWorkers.nameConversation(conversation, name);
  await mayDie();
  return { kind: 'placed' };
}

async function leavePlace(
  { machine, mayDie, git, knownWorkers, frozenPlaces, workerId }: Asked,
  move: string,
): Promise<QueryResult> {
  const { watch, name, random } = machine.parts;
  if ((await frozenPlaces.frozenFor(workerId)) !== move) return { kind: 'left', kept: null };
  if (machine.panes.has(workerId)) return failed('session-here', 'a session is here');
  const tree = git.worktrees.get(workerId);
  const works = new Set(tree === undefined ? [] : [...git.worksAt(tree.head), ...tree.dirty, ...tree.stash]);
  const luck = { random, conflict: 0, invalid: 0, failing: 0 };
  const parts = { git, workerId, luck, workerNamed: () => undefined, onMerged: () => {} };
  carryOutGit(parts, { kind: 'remove', force: true });
  watch.placeLeft(workerId, { machine: name, move, works });
  await mayDie();
  knownWorkers.forgetWorker(workerId);
  await frozenPlaces.letIn(workerId);
  return { kind: 'left', kept: 'refs/drover/trash' };
}

function fetched({ parts: { parcels, random, luck } }: MachineBody, sha256: string): Parcel | Failed {
  if (random.chance(luck.parcel)) return failed('parcel-damaged', 'its digest is another');
  const parcel = random.chance(luck.parcel) ? null : parcels.fetch(sha256);
  return parcel ?? failed('parcel-gone', 'it was kept for too long');
}

type Failed = Extract<QueryResult, { kind: 'failed' }>;

function failed(code: string, message: string): Failed {
  return { kind: 'failed', code, message };
}

const FULL = { kind: 'failed', code: 'disk-full', message: 'no space left on device' } as const;
