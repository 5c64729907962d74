/** Checks that work kept on one machine is restored on another one, which has its own archive in another place. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

const MIB = 1024 * 1024;

/** Two machines: one keeps uncommitted work of its worker, the other has its own worker and source with the same beginning. */
interface Two extends AsyncDisposable {
  readonly from: TestMachine;
  readonly to: TestMachine;
  readonly sender: WorkerSettings;
  readonly receiver: WorkerSettings;
  readonly checkpoint: { readonly id: string; readonly commit: string };
}

async function twoMachines(): Promise<Two> {
  await using stack = new AsyncDisposableStack();
  const [from, to] = [stack.use(await TestMachine.start()), stack.use(await TestMachine.start())];
  to.git(to.source, 'fetch', '-q', from.source, 'main');
  to.git(to.source, 'reset', '-q', '--hard', 'FETCH_HEAD');
  to.coordinator.parcels = from.coordinator.parcels;
  await from.agent();
  await to.agent();
  const [sender, receiver] = [from.worker('alba'), to.worker('bert')];
  for (const [machine, settings] of [
    [from, sender],
    [to, receiver],
  ] as const)
    await expectKind(
      machine.coordinator.carriedOut(settings, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
      'prepared',
    );
  const at = from.worktree();
  from.commit(at, { 'b.txt': 'bee\n' }, 'one');
  writeFileSync(join(at, 'draft.txt'), 'half an idea\n');
  // Random letters, so that there are several chunks.
  writeFileSync(join(at, 'large.txt'), Array.from({ length: 60_000 }, () => randomUUID()).join('\n'));
  const id = randomUUID();
  const saved = await expectKind(
    from.coordinator.carriedOut(sender, { kind: 'checkpoint', id, type: 'manual', why: 'a test' }),
    'checkpointed',
  );
  const kept = stack.move();
  return {
    from,
    to,
    sender,
    receiver,
    checkpoint: { id, commit: saved.commit ?? '' },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function tipsOf({ to, receiver }: Two): Promise<readonly string[]> {
  const tips = await to.coordinator.ask(receiver, { kind: 'tips' });
  return tips.kind === 'tips' ? tips.commits : [];
}

async function packed(
  { from, sender, checkpoint }: Two,
  not: readonly string[],
): Promise<{ sha256: string; bytes: number }> {
  const { commit } = checkpoint;
  const query = { kind: 'pack', commit, not, maxBytes: 64 * MIB, resend: true } as const;
  const answer = await from.coordinator.ask(sender, query);
  if (answer.kind !== 'packed') throw new Error(`Not packed: ${JSON.stringify(answer)}`);
  return answer;
}

function unpacked(two: Two, { sha256, bytes }: { sha256: string; bytes: number }) {
  const { to, receiver, checkpoint } = two;
  const { commit, id } = checkpoint;
  return to.coordinator.ask(receiver, { kind: 'unpack', from: randomUUID(), sha256, bytes, commit, checkpoint: id });
}

/** Files in the spools of both, and new ones in the receiver's archive. */
function traces({ from, to }: Two): unknown {
  return {
    spools: [from, to].map(({ dir }) => readdirSync(join(dir, 'data/parcels'))),
    packs: readdirSync(join(to.archive, 'objects/pack')),
    refs: to.git(to.archive, 'for-each-ref', 'refs/drover'),
  };
}

test('given uncommitted work on one machine, when connections break while it is carried, then it comes back whole on the other one', async () => {
  await using two = await twoMachines();
  const { from, to, receiver, checkpoint } = two;
  const seen = new Set<string>();
  // Each request is cut once before it is answered.
  from.coordinator.parcels.cuts = (asked) => seen.size !== seen.add(asked).size;

  const parcel = await packed(two, await tipsOf(two));
  const taken = await unpacked(two, parcel);
  const { id, commit } = checkpoint;
  const back = { kind: 'restore', id, commit, saveAs: randomUUID() } as const;
  await expectKind(to.coordinator.carriedOut(receiver, back), 'restored');

  expect(taken).toEqual({ kind: 'unpacked' });
  const at = join(to.root, '.worktrees/bert');
  expect(readFileSync(join(at, 'draft.txt'), 'utf8')).toBe('half an idea\n');
  expect(to.git(at, 'log', '--format=%s', '-1')).toBe('one');
  expect(to.git(to.archive, 'rev-parse', `refs/drover/checkpoints/bert/${id}`)).toBe(commit);
  expect(seen.size).toBeGreaterThan(4);
  expect(traces(two)).toMatchObject({ spools: [[], []] });
});

test('given a parcel that builds on what the receiver lacks, when it is taken, then that is named, nothing is left, and a whole one helps', async () => {
  await using two = await twoMachines();
  const between = two.from.git(two.from.worktree(), 'rev-parse', 'HEAD');
  const before = traces(two);

  const incomplete = await unpacked(two, await packed(two, [between]));
  const after = traces(two);
  const whole = await unpacked(two, await packed(two, []));

  expect(incomplete).toEqual({ kind: 'incomplete', missing: [between] });
  expect(after).toEqual(before);
  expect(whole).toEqual({ kind: 'unpacked' });
});

test('given a parcel that rots where it is kept, when it is taken, then it is refused and nothing is left, and sent anew it is taken', async () => {
  await using two = await twoMachines();
  const { parcels } = two.from.coordinator;
  const before = traces(two);
  parcels.stores = (content) => Buffer.from(content.map((byte, index) => (index === 5_000 ? byte ^ 1 : byte)));

  const rotten = await unpacked(two, await packed(two, []));
  const after = traces(two);
  parcels.stores = (content) => content;
  const anew = await unpacked(two, await packed(two, []));

  expect(rotten).toMatchObject({ kind: 'failed', code: 'parcel-damaged' });
  expect(after).toEqual(before);
  expect(anew).toEqual({ kind: 'unpacked' });
});

test('given more work than may be sent, and an archive that is cut short, when they are packed, then each is refused in words that help', async () => {
  await using two = await twoMachines();
  const { from, sender, checkpoint } = two;
  const query = { kind: 'pack', commit: checkpoint.commit, not: [], resend: false } as const;

  const large = await from.coordinator.ask(sender, { ...query, maxBytes: 1_000 });
  writeFileSync(join(from.archive, 'shallow'), `${from.git(from.archive, 'rev-parse', 'origin/main')}\n`);
  const shallow = await from.coordinator.ask(sender, { ...query, maxBytes: MIB });

  expect(large).toMatchObject({ kind: 'failed', code: 'source-too-large' });
  expect(shallow).toMatchObject({
    kind: 'failed',
    code: 'source-shallow',
    message: expect.stringContaining('--unshallow'),
  });
  expect(from.coordinator.parcels.asked).toEqual([]);
});

test('given a machine that serves one repository, when a parcel of another one is asked for or offered, then neither is done', async () => {
  await using machine = await TestMachine.start();
  await machine.agent({ ceilings: { sources: [machine.source] } });
  const settings = machine.worker();
  const other = { ...settings, project: { ...settings.project, source: machine.dir } };
  const commit = 'c'.repeat(40);
  const parcel = { from: randomUUID(), sha256: 'a'.repeat(64), bytes: 1, commit, checkpoint: 'x' };

  const packing = await machine.coordinator.ask(other, { kind: 'pack', commit, not: [], maxBytes: MIB, resend: false });
  const unpacking = await machine.coordinator.ask(other, { kind: 'unpack', ...parcel });

  expect(packing).toMatchObject({ kind: 'failed', code: 'source-not-allowed' });
  expect(unpacking).toMatchObject({ kind: 'failed', code: 'source-not-allowed' });
});
