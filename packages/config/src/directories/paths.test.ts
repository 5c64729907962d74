import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import { paths } from './paths.ts';
import { makePrivateDirectory } from './private-directory.ts';
import { closeToOthers } from './private-files.ts';
import { findRoot, rootAround } from './root.ts';

const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-config-')));
afterAll(() => rm(directory, { recursive: true }));

const uid = process.getuid?.() ?? 0;

function lookUp(variables: Record<string, string>, root = '/srv/shop'): ReturnType<typeof paths> {
  return paths({ env: readEnvironment({ HOME: '/home/eve', TMPDIR: '/tmp', ...variables }), platform: 'linux', root });
}

test('given no XDG variables, when the paths are looked up, then they lie in the home directory under the root', () => {
  expect(lookUp({})).toMatchObject({
    configDir: '/home/eve/.config/drover',
    dataDir: expect.stringMatching(/^\/home\/eve\/\.local\/share\/drover\/shop-[0-9a-f]{8}$/u),
    stateDir: expect.stringMatching(/^\/home\/eve\/\.local\/state\/drover\/shop-[0-9a-f]{8}$/u),
    runtimeDir: expect.stringMatching(/^\/home\/eve\/\.local\/share\/fleets\/run\/[0-9a-f]{8}$/u),
    cacheDir: expect.stringMatching(/^\/home\/eve\/\.cache\/drover\/shop-[0-9a-f]{8}$/u),
  });
});

test('given XDG variables, when the paths are looked up, then absolute ones count and relative ones do not', () => {
  const found = lookUp({ XDG_DATA_HOME: '/data', XDG_STATE_HOME: 'relative', XDG_RUNTIME_DIR: '/run/user/7' });

  expect(found.dataDir).toMatch(/^\/data\/drover\/shop-/u);
  expect(found.stateDir).toMatch(/^\/home\/eve\/\.local\/state\//u);
  expect(found.runtimeDir).toMatch(/^\/run\/user\/7\/fleets\/[0-9a-f]{8}$/u);
});

test('given two roots of one name, or two data directories, when their paths are looked up, then they share no socket', () => {
  const runtime = [lookUp({}), lookUp({}, '/srv/other/shop'), lookUp({ DROVER_DATA_DIR: '/d' })].map(
    (it) => it.runtimeDir,
  );

  expect(new Set(runtime).size).toBe(3);
});

test('given a runtime directory that is too long for a socket, when the paths are looked up, then it is that of the home directory', () => {
  const found = lookUp({ XDG_RUNTIME_DIR: `/run/${'x'.repeat(80)}` });

  expect(found.runtimeDir).toMatch(/^\/home\/eve\/\.local\/share\/fleets\/run\//u);
});

test('given a home directory that is too long for a socket, when the paths are looked up, then a socket still fits', () => {
  expect(lookUp({ HOME: `/home/${'x'.repeat(80)}` }).runtimeDir).toMatch(/^\/tmp\/fleets-/u);
});

test('given a directory below the root, when the root is looked for, then the nearest drover.toml counts, links resolved', async () => {
  const root = path.join(directory, 'shop');
  const below = path.join(root, 'src', 'deep');
  await mkdir(below, { recursive: true });
  await writeFile(path.join(root, 'drover.toml'), '');
  await symlink(root, path.join(directory, 'link'));
  const env = readEnvironment({});

  expect(await findRoot({ env, from: below })).toEqual({ kind: 'found', root });
  expect(await findRoot({ env, from: path.join(directory, 'link') })).toEqual({ kind: 'found', root });
  expect(await findRoot({ env: readEnvironment({ DROVER_ROOT: '../link' }), from: root })).toEqual({
    kind: 'found',
    root,
  });
});

test('given a source with a root beside it, when the root is looked for below the source, then it is found, and no root of another source', async () => {
  const source = path.join(directory, 'src');
  const below = path.join(source, 'deep');
  const beside = path.join(directory, 'src-drover');
  await mkdir(below, { recursive: true });
  await mkdir(beside);
  const find = async (toml: string): Promise<unknown> => {
    await writeFile(path.join(beside, 'drover.toml'), toml);
    return findRoot({ env: readEnvironment({}), from: below });
  };

  expect(await find(`[repo]\nsource = "${source}"`)).toEqual({ kind: 'found', root: beside });
  expect(await find('[repo]\nsource = "../src"')).toEqual({ kind: 'found', root: beside });
  for (const other of [`[repo]\nsource = "${directory}"`, '[repo]\nsource = "/nowhere"', '', 'not TOML'])
    expect(await find(other)).toMatchObject({ kind: 'missing' });
});

test('given a directory below a root, when the root around it is looked for, then it is named, and no root beside it', async () => {
  const root = path.join(directory, 'around');
  await mkdir(path.join(root, 'below'), { recursive: true });
  await writeFile(path.join(root, 'drover.toml'), '');

  expect(await rootAround(path.join(root, 'below', 'not-there'))).toBe(root);
  expect(await rootAround(directory)).toBeUndefined();
});

test('given no drover.toml, when the root is looked for, then the message says what to do', async () => {
  const nowhere = path.join(directory, 'nowhere');
  await mkdir(nowhere);

  const found = await findRoot({ env: readEnvironment({}), from: nowhere });
  const named = await findRoot({ env: readEnvironment({ DROVER_ROOT: nowhere }), from: directory });

  expect(found).toMatchObject({ kind: 'missing', message: expect.stringContaining('drover init') });
  expect(named).toMatchObject({ kind: 'missing', message: expect.stringContaining(`DROVER_ROOT names ${nowhere}`) });
});

test('given a private directory to make, when it is made or is open to others, then its mode is 0700', async () => {
  const fresh = path.join(directory, 'run', 'fresh');
  const open = path.join(directory, 'open');
  await mkdir(open);
  await chmod(open, 0o755);

  expect(await makePrivateDirectory(fresh, { uid })).toEqual({ openMode: null });
  expect(await makePrivateDirectory(open, { uid })).toEqual({ openMode: '755' });

  expect((await stat(fresh)).mode & 0o777).toBe(0o700);
  expect((await stat(open)).mode & 0o777).toBe(0o700);
});

test('given files with secrets that others can read, when they are looked at, then they are closed and named', async () => {
  const data = path.join(directory, 'data');
  await mkdir(path.join(data, 'agent', 'hooks'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(data, 'postgres'), { mode: 0o755 });
  await writeFile(path.join(data, 'endpoint.json'), '{}', { mode: 0o644 });
  await writeFile(path.join(data, 'agent', 'machine-key.pem'), '', { mode: 0o600 });
  await writeFile(path.join(data, 'agent', 'hooks', 'x.worker.json'), '', { mode: 0o640 });
  await symlink('/etc/hostname', path.join(data, 'link'));
  // Sets the modes whatever the umask is.
  await chmod(path.join(data, 'postgres'), 0o755);
  await chmod(path.join(data, 'endpoint.json'), 0o644);
  await chmod(path.join(data, 'agent', 'hooks', 'x.worker.json'), 0o640);

  const repaired = await closeToOthers(data);

  expect(repaired).toEqual([
    { path: path.join(data, 'endpoint.json'), mode: '644' },
    { path: path.join(data, 'agent', 'hooks', 'x.worker.json'), mode: '640' },
  ]);
  expect((await stat(path.join(data, 'endpoint.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(path.join(data, 'postgres'))).mode & 0o777).toBe(0o755);
  expect(await closeToOthers(data)).toEqual([]);
});

test('given a link, another owner or a file in its place, when a private directory is made, then it is refused', async () => {
  const target = path.join(directory, 'target');
  await mkdir(target);
  await symlink(target, path.join(directory, 'planted'));
  await writeFile(path.join(directory, 'file'), '');

  await expect(makePrivateDirectory(path.join(directory, 'planted'), { uid })).rejects.toMatchObject({
    code: 'unsafe-directory',
  });
  await expect(makePrivateDirectory(target, { uid: uid + 1 })).rejects.toMatchObject({ code: 'unsafe-directory' });
  await expect(makePrivateDirectory(path.join(directory, 'file'), { uid })).rejects.toMatchObject({
    code: 'directory-failed',
  });
});
