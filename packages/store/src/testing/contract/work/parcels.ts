// Parcels: the tests that every store passes.
import { expect, test } from 'vitest';
import type { Store } from '../../../port/store.ts';
import type { OpenStore } from '../open-store.ts';
import { command, joined, seeded } from '../seeds.ts';

const SHA = 'a'.repeat(64);

/** Declares the tests of who may send and take one. */
export function parcelContract(open: OpenStore): void {
  test('given commands of machines, when one asks for a parcel, then only an unfinished command of its own that names it counts', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const { machineId } = worker;
    const parcel = { machineId: worker.projectId, sha256: SHA };
    const commit = 'c'.repeat(40);
    const query = { kind: 'unpack', from: parcel.machineId, sha256: SHA, bytes: 1, commit, checkpoint: 'x' } as const;
    const unpacking = { ...command(worker, 1), body: { kind: 'query', query } } as const;
    const packing = {
      ...command(worker, 1),
      body: { kind: 'query', query: { kind: 'pack', commit, not: [], maxBytes: 1, resend: false } },
    } as const;
    const unpack = { kind: 'unpack', ...parcel } as const;
    await store.transaction((tx) => tx.insertCommands([unpacking], 1));

    const named = [
      await store.isParcelNamed(machineId, unpack),
      await store.isParcelNamed(machineId, { ...unpack, sha256: 'b'.repeat(64) }),
      await store.isParcelNamed(machineId, { ...unpack, machineId }),
      await store.isParcelNamed(await joined(store, 'm2'), unpack),
      await store.isParcelNamed(machineId, { kind: 'pack' }),
    ];
    await store.transaction(async (tx) => {
      await tx.insertCommands([packing], 1);
      await tx.finishCommands([{ id: unpacking.id, machineId, command: null, result: { kind: 'unpacked' } }], 2);
    });

    expect(named).toEqual([true, false, false, false, false]);
    expect(await store.isParcelNamed(machineId, { kind: 'pack' })).toBe(true);
    expect(await store.isParcelNamed(machineId, unpack)).toBe(false);
    expect(await store.transaction((tx) => tx.hasCommand(unpacking.id))).toBe(true);
    expect(await store.transaction((tx) => tx.hasCommand(machineId))).toBe(false);
  });

  test('given a machine that publishes, or was let read a parcel, when it sends or asks, then that is its right until the command or the parcel is over', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const { machineId } = worker;
    const other = await joined(store, 'm2');
    const publish = { kind: 'publish', base: 'a'.repeat(40), commit: 'b'.repeat(40) } as const;
    const publishing = { ...command(worker, 1), body: { kind: 'command', seq: 1, command: publish } } as const;
    const unpack = { kind: 'unpack', machineId, sha256: SHA } as const;
    await store.transaction((tx) => tx.insertCommands([publishing], 1));
    await store.letRead({ machineId, sha256: SHA }, other);
    const early = await store.isParcelNamed(other, unpack);
    await opened(store, machineId, { at: 10 });

    await store.letRead({ machineId, sha256: SHA }, other);
    await store.letRead({ machineId, sha256: SHA }, other);

    expect([early, await store.isParcelNamed(other, unpack)]).toEqual([false, true]);
    expect(await store.isParcelNamed(machineId, { kind: 'pack' })).toBe(true);
    expect(await store.readGivenCommand(machineId, publishing.id)).toMatchObject({ body: { command: publish } });
    expect(await store.readGivenCommand(other, publishing.id)).toBeNull();
    const ended = { id: publishing.id, machineId, command: { workerId: worker.id, seq: 1 } };
    await store.transaction((tx) =>
      tx.finishCommands([{ ...ended, result: { kind: 'published', commit: publish.commit } }], 2),
    );
    expect(await store.isParcelNamed(machineId, { kind: 'pack' })).toBe(false);
    expect(await store.readGivenCommand(machineId, publishing.id)).toBeNull();
  });
}

/** A parcel of 100 bytes. */
async function opened(store: Store, machineId: string, { at }: { at: number }): Promise<void> {
  await store.transaction((tx) => tx.openParcel({ machineId, sha256: SHA, bytes: 100, openedAt: at }));
}

/** Declares the tests of contents, which are on SQL alone. */
export function chunkContract(open: OpenStore): void {
  test('given chunks of a parcel in any order and twice, when it is read, then each is there once, the newest, byte for byte', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const key = { machineId, sha256: SHA };
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

    const early = await store.saveChunk(key, { number: 0, content: bytes });
    await opened(store, machineId, { at: 10 });
    for (const number of [2, 0, 2])
      await store.saveChunk(key, { number, content: Uint8Array.from([number, ...bytes]) });

    expect(early).toBe(false);
    expect(await store.readParcel(key)).toEqual({ ...key, bytes: 100, openedAt: 10, chunks: [0, 2] });
    expect(Buffer.from((await store.readChunk(key, 2)) ?? [])).toEqual(Buffer.from([2, ...bytes]));
    expect(await store.readChunk(key, 1)).toBeNull();
    expect(await store.readParcel({ ...key, sha256: 'b'.repeat(64) })).toBeNull();
  });

  test('given parcels of two senders, when they are counted and grow old, then the old ones lose their contents first', async () => {
    await using given = await open();
    const { store } = given;
    const [one, other] = [(await seeded(store)).machineId, await joined(store, 'm2')];
    const [old, young] = [
      { machineId: one, sha256: SHA },
      { machineId: other, sha256: SHA },
    ];
    await opened(store, one, { at: 10 });
    await opened(store, other, { at: 20 });
    for (const key of [old, young]) await store.saveChunk(key, { number: 0, content: Uint8Array.of(1) });

    const counts = await store.transaction(async (tx) => [
      await tx.parcelBytes(0, { machineId: one, sha256: 'b'.repeat(64) }),
      await tx.parcelBytes(0, old),
      await tx.parcelBytes(15, { machineId: one, sha256: 'b'.repeat(64) }),
    ]);
    await store.transaction((tx) => tx.pruneParcels({ contents: 20, rows: 5 }));
    const expired = [await store.readParcel(old), await store.readChunk(young, 0)];
    await opened(store, one, { at: 30 });
    const again = await store.readParcel(old);
    await store.transaction((tx) => tx.pruneParcels({ contents: 25, rows: 25 }));

    expect(counts).toEqual([200, 100, 100]);
    expect(expired).toEqual([expect.objectContaining({ chunks: [] }), expect.anything()]);
    expect(again).toMatchObject({ openedAt: 30, chunks: [] });
    expect([await store.readParcel(old), await store.readParcel(young)]).toEqual([expect.anything(), null]);
  });
}
