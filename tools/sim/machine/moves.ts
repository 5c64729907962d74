/** What does a simulated machine answer about a worker that comes from another machine, or has gone to one? */
import type { DeliveryContext } from '@drover/machine-agent/testing';
import type { Query, QueryResult } from '@drover/protocol';
import type { MachineBody } from './parts.ts';

type OfMove = Extract<
  Query,
  { kind: 'expect' | 'tips' | 'pack' | 'unpack' | 'pack-conversation' | 'place-conversation' | 'leave-place' }
>;

const OF_MOVE: ReadonlySet<Query['kind']> = new Set<OfMove['kind']>([
  'expect',
  'tips',
  'pack',
  'unpack',
  'pack-conversation',
  'place-conversation',
  'leave-place',
]);

/** Whether a query is one of a move. */
export function isOfMove(query: Query): query is OfMove {
  return OF_MOVE.has(query.kind);
}

/** All machines have one git, so that only what is done in a place counts: what is frozen, and what lives there. */
export function answerForMove(
  { machine, knownWorkers }: { readonly machine: MachineBody; readonly knownWorkers: DeliveryContext['knownWorkers'] },
  workerId: string,
  query: OfMove,
): QueryResult {
  const { random, luck, git } = machine.parts;
  const failed = random.chance(luck.git.failing);
  switch (query.kind) {
    case 'expect':
      if (machine.panes.get(workerId)?.program.end === null)
        return { kind: 'failed', code: 'session-here', message: 'a session of it runs here' };
      if (query.move !== null) knownWorkers.freeze(workerId, query.move);
      return { kind: 'expected', version: '1', keeps: true };
    case 'tips':
      return { kind: 'tips', commits: [] };
    case 'pack':
      if (!git.saves.has(query.commit)) return { kind: 'failed', code: 'missing', message: 'it is not there' };
      return failed ? FULL : PACKED;
    case 'unpack':
      return failed ? FULL : { kind: 'unpacked' };
    case 'pack-conversation':
      return machine.transcripts.has(query.conversation)
        ? { ...PACKED, name: knownWorkers.conversationNamed(query.conversation) }
        : { kind: 'failed', code: 'no-conversation', message: 'it keeps none' };
    case 'place-conversation':
      return failed ? FULL : { kind: 'placed' };
    case 'leave-place':
      if (knownWorkers.frozenFor(workerId) !== query.move) return { kind: 'left', kept: null };
      if (machine.panes.has(workerId)) return { kind: 'failed', code: 'session-here', message: 'a session is here' };
      knownWorkers.forgetWorker(workerId);
      knownWorkers.letIn(workerId);
      return { kind: 'left', kept: 'refs/drover/trash' };
    default:
      return query satisfies never;
  }
}

const PACKED = { kind: 'packed', sha256: 'a'.repeat(64), bytes: 1 } as const;
const FULL = { kind: 'failed', code: 'disk-full', message: 'no space left on device' } as const;
