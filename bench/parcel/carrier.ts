// A coordinator on a Postgres, and two machines that are connected to it, with the way of a parcel from one to the other.
import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '@drover/base';
import type { Host } from '@drover/host';
import type { Query } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { connect, createSqlStore } from '@drover/store';
import type { Database, Store } from '@drover/store';
import { systemRandom } from '../../apps/coordinator/src/index.ts';
import { replica } from '../../apps/coordinator/src/testing/replica.ts';
import { transferOverHttp } from '../../apps/machine-agent/src/sync/http-adapter.ts';
import type { TransferBytes } from '../../apps/machine-agent/src/sync/http-adapter.ts';
import { openParcels } from '../../apps/machine-agent/src/sync/parcels.ts';
import { gitOn, pack, unpack } from '../../packages/worktree/src/index.ts';

/** Bytes of a MiB. */
export const MIB = 1024 ** 2;
const MAX_BYTES = 2_000 * MIB;
const SIGNAL = new AbortController().signal;

/** Cargo and its way. */
interface Cargo {
  /** The repository that has it, and the one that gets it. */
  readonly source: string;
  readonly receiver: string;
  readonly commit: string;
  /** Commits that the receiver has. */
  readonly not: readonly string[];
  /** The ref that the receiver gets. */
  readonly into: string;
}

/** Milliseconds that each part took, and how large the parcel was. */
export interface Carried {
  readonly pack: number;
  readonly send: number;
  readonly fetch: number;
  readonly unpack: number;
  readonly bytes: number;
}

/** Carrier between two machines. */
export interface Carrier extends AsyncDisposable {
  carry(cargo: Cargo): Promise<Carried>;
  /** Bytes that went over the wire, up and down. */
  sentBytes(): number;
}

/** Starts it. */
export async function openCarrier(host: Host, url: string, directory: string): Promise<Carrier> {
  await using stack = new AsyncDisposableStack();
  const coordinator = stack.use(
    await replica(url, { project: null, token: null, random: systemRandom, parcelBytes: MAX_BYTES }),
  );
  const connection = stack.use(connect<Database>(url, { log: () => {}, maxConnections: 2 }));
  const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: Math.random });
  const [from, to] = [await machineIn(store, 'from'), await machineIn(store, 'to')];
  let sentBytes = 0;
  const transfer: TransferBytes = async (address, request) => {
    const answer = await transferOverHttp(address, request);
    sentBytes += (request.body?.byteLength ?? 0) + answer.bytes.byteLength;
    return answer;
  };
  const common = { files: host, transfer, clock: systemClock, random: Math.random, log: () => {} };
  const out = await openParcels({ ...common, directory: path.join(directory, 'out') });
  const inbox = await openParcels({ ...common, directory: path.join(directory, 'in') });
  out.connected({ url: coordinator.url, accessToken: from.token });
  inbox.connected({ url: coordinator.url, accessToken: to.token });
  const context = gitOn(host);
  const kept = stack.move();
  return {
    sentBytes: () => sentBytes,
    carry: async ({ source, receiver, commit, not, into }) => {
      const id = randomUUID();
      await tell(store, from.id, { kind: 'pack', commit, not: [...not], maxBytes: MAX_BYTES, resend: false });
      const refs = [{ name: 'work', commit }];
      const [made, packMs] = await timed(() =>
        pack(context, { repo: source, refs, not, spool: out.spool, id, maxBytes: MAX_BYTES }, host.sha256),
      );
      const parcel = packedOf(made);
      const [, sendMs] = await timed(() => out.send(parcel, { resend: false, signal: SIGNAL }));
      const { sha256, bytes } = parcel;
      await tell(store, to.id, { kind: 'unpack', from: from.id, sha256, bytes, commit, checkpoint: 'x' });
      const file = { ...parcel, path: path.join(inbox.spool, id) };
      const [, fetchMs] = await timed(() => inbox.fetch(file, { from: from.id, signal: SIGNAL }));
      const wanted = [{ name: 'work', commit, into }];
      const [taken, unpackMs] = await timed(() =>
        unpack(context, { repo: receiver, file: file.path, sha256, refs: wanted, spool: inbox.spool, id }, host.sha256),
      );
      if (taken.kind !== 'unpacked') throw new Error(JSON.stringify(taken));
      return { pack: packMs, send: sendMs, fetch: fetchMs, unpack: unpackMs, bytes };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns the result of the act, and how long it took in milliseconds. */
export async function timed<T>(act: () => Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now();
  const value = await act();
  return [value, performance.now() - begun];
}

function packedOf(made: Awaited<ReturnType<typeof pack>>): { path: string; sha256: string; bytes: number } {
  if (made.kind !== 'packed') throw new Error(JSON.stringify(made));
  return made;
}

/** A machine with an access token, as after its hello. */
async function machineIn(store: Store, name: string): Promise<{ id: string; token: string }> {
  const now = Date.now();
  await store.createJoinToken({ sha256: name, expiresAt: now + 60_000, now });
  const id = randomUUID();
  await store.joinMachine({ id, name, publicKey: name, tokenSha256: name, now });
  const token = randomUUID();
  await store.hello({
    machineId: id,
    epoch: 0,
    publicKey: name,
    rotated: false,
    dialledUrl: 'http://127.0.0.1',
    agentEpoch: randomUUID(),
    version: 'bench',
    facts: {},
    places: { workspace: '/w', roots: {} },
    accessTokenSha256: createHash('sha256').update(token).digest('hex'),
    accessTokenExpiresAt: now + 3_600_000,
    now,
  });
  return { id, token };
}

async function tell(store: Store, machineId: string, query: Query): Promise<void> {
  const command = { id: randomUUID(), machineId, workerId: randomUUID(), settings: WORKER_SETTINGS, timeoutMs: 1 };
  await store.transaction((tx) => tx.insertCommands([{ ...command, body: { kind: 'query', query } }], Date.now()));
}
