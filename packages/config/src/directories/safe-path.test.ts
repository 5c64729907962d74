import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makePrivateDirectory } from './private-directory.ts';
import { refuseUnsafePath } from './safe-path.ts';

const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-config-')));
afterAll(() => rm(directory, { recursive: true }));

const uid = process.getuid?.() ?? 0;
const OTHER = 65_534;
const UNSAFE = { code: 'unsafe-directory' };

function at(name: string): string {
  return path.join(directory, name);
}

/** A directory with a directory in it, below one of the test's own. */
async function nested(name: string, mode = 0o755): Promise<{ readonly above: string; readonly leaf: string }> {
  const above = path.join(directory, name);
  const leaf = path.join(above, 'leaf');
  await mkdir(leaf, { recursive: true, mode: 0o700 });
  await chmod(above, mode);
  return { above, leaf };
}

test.each([
  ['all users may write to', 0o777],
  ['only its owner may enter', 0o700],
  ['others may read', 0o755],
  ['all users may write to, with the sticky bit', 0o1777],
])(
  'given a directory that %s, when a path below it is judged, then the path is as safe as that directory',
  async (_, mode) => {
    const { above, leaf } = await nested(`mode-${mode.toString(8)}`, mode);
    const judge = (): Promise<unknown> => refuseUnsafePath(leaf, { uid });
    const make = (): Promise<unknown> => makePrivateDirectory(leaf, { uid });

    if (mode !== 0o777) await Promise.all([judge(), make()]);
    else {
      const words = expect.stringContaining(`its part ${above} has the mode 777`);
      await expect(judge()).rejects.toMatchObject({ ...UNSAFE, message: words });
      await expect(make()).rejects.toMatchObject(UNSAFE);
    }
  },
);

test.skipIf(uid !== 0)(
  "given a directory that a group may write to, when it is judged, then it is safe where the group is its owner's own",
  async () => {
    const { above, leaf } = await nested('group', 0o775);
    await refuseUnsafePath(leaf, { uid });

    await chown(above, uid, OTHER);

    await expect(refuseUnsafePath(leaf, { uid })).rejects.toMatchObject(UNSAFE);
  },
);

// Root alone can give a directory to another user.
test.skipIf(uid !== 0)(
  'given another user who owns the directory above, when a private directory is made there, then it is refused though it is ours',
  async () => {
    const { above, leaf } = await nested('taken');
    await chown(above, OTHER, OTHER);

    const made = makePrivateDirectory(leaf, { uid });

    await expect(made).rejects.toMatchObject({
      ...UNSAFE,
      message: expect.stringContaining(
        `Cannot use ${above}: it belongs to user ${OTHER}, expected user ${uid} or root`,
      ),
    });
    await expect(refuseUnsafePath(leaf, { uid })).rejects.toMatchObject(UNSAFE);
  },
);

test('given a link, when a path through it is judged, then the directories to which it leads count, too', async () => {
  await nested('link-safe');
  const open = await nested('link-open', 0o777);
  await symlink(path.join('link-open', '..', 'link-safe'), at('to-safe'));
  await symlink(open.leaf, at('to-open'));
  await symlink('to-itself', at('to-itself'));

  await refuseUnsafePath(path.join(at('to-safe'), 'leaf'), { uid });

  await expect(refuseUnsafePath(at('to-open'), { uid })).rejects.toMatchObject(UNSAFE);
  await expect(refuseUnsafePath(at('to-itself'), { uid })).rejects.toMatchObject({
    message: expect.stringContaining('follows more than 40 links'),
  });
});

test('given a path of which nothing is there yet, when it is judged, then the directories above it count', async () => {
  const { above } = await nested('missing');
  await refuseUnsafePath(path.join(above, 'a', 'b'), { uid });

  await chmod(above, 0o777);

  await expect(refuseUnsafePath(path.join(above, 'a', 'b'), { uid })).rejects.toMatchObject(UNSAFE);
});
