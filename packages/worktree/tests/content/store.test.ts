import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles, sha256Of, WORKER } from '../support.ts';
import { keepContent, pathOfContent, storeIn } from '../../src/content/store.ts';

const TEXT = 'the content of a large file\n';
const CONTENT = { sha256: createHash('sha256').update(TEXT).digest('hex'), bytes: TEXT.length };

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** An archive without content, and a store. */
async function makePlace() {
  const at = await mkdtemp(join(tmpdir(), 'drover-content-'));
  const [archive, store] = [join(at, 'archive.git'), join(at, 'store')];
  const from = pathOfContent(storeIn(archive, WORKER), CONTENT);
  await mkdir(dirname(from), { recursive: true });
  return { at, archive, store, from, [Symbol.asyncDispose]: () => rm(at, { recursive: true, force: true }) };
}

type Place = Awaited<ReturnType<typeof makePlace>>;

test('given content, when it is kept, also a second time without its origin, then the store has it and nothing else', async () => {
  await using place = await makePlace();
  const { from, store } = place;
  await put(from, TEXT);
  await put(join(store, 'tmp', `drover-${CONTENT.sha256}`), 'what a killed process left');

  const first = await keepContent(nodeFiles, { from, store, content: CONTENT }, sha256Of);
  await rm(from);
  const again = await keepContent(nodeFiles, { from, store, content: CONTENT }, sha256Of);

  expect([first, again]).toEqual([true, true]);
  expect(await readFile(pathOfContent(store, CONTENT), 'utf8')).toBe(TEXT);
  expect(await readdir(join(store, 'tmp'))).toEqual([]);
});

const LACKS: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  'is not there': () => Promise.resolve(),
  'was cut off': ({ from }) => put(from, TEXT.slice(0, 5)),
  'is other content of the same size': ({ from }) => put(from, TEXT.replaceAll('e', 'x')),
  'is a link to a file elsewhere': async ({ at, from }) => {
    await put(join(at, 'elsewhere'), TEXT);
    await symlink(join(at, 'elsewhere'), from);
  },
  'lies behind a link': async ({ at, archive }) => {
    const objects = join(storeIn(archive, WORKER), 'objects');
    await put(pathOfContent(at, CONTENT), TEXT);
    await rm(objects, { recursive: true });
    await symlink(join(at, 'objects'), objects);
  },
  'is a directory': async ({ from }) => void (await mkdir(from)),
};

test.each(Object.keys(LACKS))(
  'given content that %s, when it is to be kept, then the store gets nothing',
  async (lack) => {
    await using place = await makePlace();
    const { from, store } = place;
    await LACKS[lack]?.(place);

    expect(await keepContent(nodeFiles, { from, store, content: CONTENT }, sha256Of)).toBe(false);

    expect(await nodeFiles.stat(pathOfContent(store, CONTENT))).toBeUndefined();
    expect(await readdir(join(store, 'tmp'))).toEqual([]);
  },
);
