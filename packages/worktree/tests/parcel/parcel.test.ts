// Tests what a parcel carries from one repository to another, and what is left when it cannot.
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles, sha256Of } from '../support.ts';
import { type Carried, INTO, makeCarried, packed } from './carried.ts';

test('given commits that the receiver lacks, when they are packed for what it has and unpacked, then it has them whole, and nothing else is left', async () => {
  await using carried = await makeCarried();
  const { yard, receiver, sender, work } = carried;

  const file = await packed(carried, { not: [carried.common, 'f'.repeat(40)] });
  const outcome = await carried.unpack(file);
  const again = await carried.unpack(file, { id: 'two' });

  expect([outcome, again]).toEqual([{ kind: 'unpacked' }, { kind: 'unpacked' }]);
  expect(await yard.sh(receiver, 'rev-parse', INTO)).toBe(work);
  expect(await yard.sh(receiver, 'show', `${INTO}:c.txt`)).toBe('sea');
  await yard.sh(receiver, 'fsck', '--full', '--strict');
  expect(file.endsWith(await sha256Of(file))).toBe(true);
  expect(await readdir(join(yard.dir, 'out'))).toHaveLength(1);
  expect(await carried.traces()).toMatchObject({ inbox: [] });
  expect(await readdir(join(receiver, '.git/objects/pack'))).not.toContainEqual(expect.stringMatching(/keep|part/));
  expect(await yard.sh(sender, 'for-each-ref', 'refs/parcel')).toBe('');
});

test('given a receiver that has every commit, when it is packed for it, then there is no parcel', async () => {
  await using carried = await makeCarried();

  expect(await carried.pack({ not: [carried.work] })).toEqual({ kind: 'contained' });
  expect(await readdir(join(carried.yard.dir, 'out'))).toEqual([]);
});

test('given more than a parcel may hold, when it is packed, then it is refused before it is written', async () => {
  await using carried = await makeCarried();

  expect(await carried.pack({ maxBytes: 100 })).toMatchObject({
    kind: 'too-large',
    message: expect.stringContaining('parcel_max_mib'),
  });
  expect(await readdir(join(carried.yard.dir, 'out'))).toEqual([]);
  expect(carried.yard.calls.filter((call) => call.includes('bundle create'))).toEqual([]);
});

test.each([
  ['shallow', ['--depth', '1'], /shallow clone.*run "git -C (.*) (fetch --unshallow)"/],
  ['partial', ['--filter=blob:none', '--no-checkout'], /partial clone.*run "git -C (.*) (fetch --refetch .*)"/],
] as const)(
  'given a %s sender, when it is packed, then it is refused with the command that completes it, and after that it is not',
  async (kind, options, words) => {
    await using carried = await makeCarried();
    const { yard, sender } = carried;
    const thin = join(yard.dir, 'thin');
    await yard.sh(sender, 'config', 'uploadpack.allowFilter', 'true');
    await yard.sh(yard.dir, 'clone', '-q', ...options, `file://${sender}`, thin);

    const refused = await carried.pack({ repo: thin, not: [] });

    expect(refused).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(await readdir(join(yard.dir, 'out'))).toEqual([]);
    const [, at = '', command = ''] = words.exec('message' in refused ? refused.message : '') ?? [];
    await yard.sh(at, ...command.split(' '));
    expect(await carried.unpack(await packed(carried, { repo: thin, not: [] }))).toEqual({ kind: 'unpacked' });
  },
);

test('given a parcel that builds on a commit that the receiver lacks, when it is unpacked, then the commit is named, and a whole parcel helps', async () => {
  await using carried = await makeCarried();
  const { yard, sender } = carried;
  const between = await yard.sh(sender, 'rev-parse', 'HEAD~1');
  const before = await carried.traces();

  const outcome = await carried.unpack(await packed(carried, { not: [between] }));

  expect(outcome).toEqual({ kind: 'incomplete', missing: [between] });
  expect(await carried.traces()).toEqual(before);
  expect(await carried.unpack(await packed(carried, { not: [] }))).toEqual({ kind: 'unpacked' });
});

/** Damages of a parcel, made of a good one. */
const DAMAGES: Record<string, (carried: Carried, file: string) => Promise<Parameters<Carried['unpack']>[1]>> = {
  'another digest': async () => ({ sha256: '0'.repeat(64) }),
  'a flipped bit': async (_carried, file) => {
    const bytes = await readFile(file);
    const at = bytes.indexOf('PACK') + 30;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file, bytes);
    return {};
  },
  'an end that is cut off': async (_carried, file) => {
    await writeFile(file, (await readFile(file)).subarray(0, -40));
    return {};
  },
  'no bundle at all': async (_carried, file) => {
    await writeFile(file, 'hello\n\n');
    return {};
  },
  'another commit than expected': async (carried) => ({ commit: carried.common }),
  'what it builds on left unsaid': async (carried, file) => {
    const between = await carried.yard.sh(carried.sender, 'rev-parse', 'HEAD~1');
    await cp(await packed(carried, { not: [between] }), file);
    const bytes = await readFile(file);
    const [start, end] = [bytes.indexOf('\n-') + 1, bytes.indexOf('\n', bytes.indexOf('\n-') + 1) + 1];
    await writeFile(file, Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
    return {};
  },
  'a tree that git refuses': async (carried, file) => {
    const { yard, sender, work } = carried;
    const blob = await yard.sh(sender, 'rev-parse', 'HEAD:c.txt');
    const [entry, list] = [`100644 blob ${blob}\t.git`, join(yard.dir, 'list')];
    await writeFile(list, `${entry}\n`);
    const made = await yard.git.run('sh', ['-c', 'git -C "$1" mktree <"$2"', 'sh', sender, list], { timeoutMs: 9_000 });
    const commit = await yard.sh(sender, 'commit-tree', '-p', work, '-m', 'bad', made.stdout.trim());
    await yard.sh(sender, 'update-ref', 'refs/parcel/work', commit);
    await yard.sh(sender, 'bundle', 'create', '-q', file, 'refs/parcel/work', `^${carried.common}`);
    return { commit };
  },
};

test('given parcels that are damaged in every way, when each is unpacked, then it is refused and the receiver is as before', async () => {
  await using carried = await makeCarried();
  const file = join(carried.yard.dir, 'parcel');
  const before = await carried.traces();

  for (const [name, damage] of Object.entries(DAMAGES)) {
    await cp(await packed(carried), file);
    const change = await damage(carried, file);

    const outcome = await carried.unpack(file, change);

    expect([name, outcome]).toMatchObject([name, { kind: 'damaged', why: expect.stringMatching(/./) }]);
    expect([name, await carried.traces()]).toEqual([name, before]);
  }
});

/** Writes the first bytes and fails. */
async function copyOnFullDisk(from: string, to: string): Promise<void> {
  await writeFile(to, (await readFile(from)).subarray(0, 10));
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

test('given a disk that is full, when a parcel is unpacked, then nothing of it is left, and it can be repeated', async () => {
  await using carried = await makeCarried();
  const file = await packed(carried);
  const before = await carried.traces();
  const when = carried.unpack(file, { git: { ...carried.yard.git, files: { ...nodeFiles, copy: copyOnFullDisk } } });

  await expect(when).rejects.toThrow('ENOSPC');
  expect(await carried.traces()).toEqual(before);
  expect(await carried.unpack(file)).toEqual({ kind: 'unpacked' });
});

test('given a ref that keeps other work, when a parcel is to be kept there, then it is refused and the receiver is as before', async () => {
  await using carried = await makeCarried();
  const { yard, receiver, common } = carried;
  const file = await packed(carried);
  await yard.sh(receiver, 'update-ref', INTO, common);
  const before = await carried.traces();

  await expect(carried.unpack(file)).rejects.toMatchObject({ code: 'id-taken' });
  await expect(carried.unpack(file, { into: 'refs/heads/bad..name' })).rejects.toThrow('bad..name');
  await yard.sh(receiver, 'update-ref', '-d', INTO);
  expect(await carried.traces()).toMatchObject({ objects: (before as { objects: string[] }).objects });
});

test('given one parcel, when it is unpacked several times at once, then all end well and the repository is whole', async () => {
  await using carried = await makeCarried();
  const file = await packed(carried);

  const outcomes = await Promise.all(['1', '2', '3', '4'].map((id) => carried.unpack(file, { id })));

  expect(outcomes.map(({ kind }) => kind)).toEqual(['unpacked', 'unpacked', 'unpacked', 'unpacked']);
  await carried.yard.sh(carried.receiver, 'fsck', '--full');
});

test('given repositories whose hooks, settings and replacements are hostile, when work is carried, then none runs and what was committed comes', async () => {
  await using carried = await makeCarried();
  const { yard, sender, receiver, work, common } = carried;
  const mark = join(yard.dir, 'ran');
  const program = join(yard.dir, 'evil');
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  for (const repo of [sender, receiver]) {
    for (const hook of ['reference-transaction', 'post-checkout', 'pre-auto-gc', 'post-rewrite'])
      await cp(program, join(repo, '.git/hooks', hook));
    for (const setting of [
      'core.fsmonitor',
      'core.alternateRefsCommand',
      'uploadpack.packObjectsHook',
      'core.sshCommand',
    ])
      await yard.sh(repo, 'config', setting, program);
  }
  await yard.sh(sender, '-c', 'core.hooksPath=/dev/null', 'replace', work, common);

  const outcome = await carried.unpack(await packed(carried));

  expect(outcome).toEqual({ kind: 'unpacked' });
  expect(await yard.sh(receiver, '-c', 'core.fsmonitor=false', 'show', `${INTO}:c.txt`)).toBe('sea');
  await expect(readFile(mark)).rejects.toThrow('ENOENT');
});
