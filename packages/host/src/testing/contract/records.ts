/** Checks that pieces of files are read that a hostile program may have put there. */
import { expect, test } from 'vitest';

import { textOf, type Tried, WITHIN } from './open-host.ts';

export function recordContract(tried: () => Promise<Tried>): void {
  test('given a file, when pieces of it are read, then they are those, and the size is that of all', async () => {
    const { host, directory } = await tried();
    const path = `${directory}/a`;
    await host.writeFile(path, '0123456789');
    const piece = async (from: number, bytesMax: number): Promise<string | undefined> =>
      textOf((await host.readRange(path, { from, bytesMax }))?.bytes);

    expect(await piece(0, 4)).toBe('0123');
    expect(await piece(8, 4)).toBe('89');
    expect(await piece(10, 4)).toBe('');
    expect(await piece(100, 4)).toBe('');
    expect(await host.readRange(path, { from: 3, bytesMax: 0 })).toMatchObject({ size: 10 });
    const { modifiedAt } = (await host.readRange(path, { from: 3, bytesMax: 0 })) ?? {};
    expect(modifiedAt).toBe((await host.stat(path))?.modifiedAt);
  });

  test('given a file of lines, when its end is read, then whole lines of it come, and none of one that has no end', async () => {
    const { host, directory } = await tried();
    const path = `${directory}/a`;
    await host.writeFile(path, 'first\nsecönd\n\nlast\n');
    const tail = async (bytesMax: number): Promise<readonly string[] | undefined> =>
      (await host.tailLines(path, { bytesMax }))?.lines;

    expect(await tail(1_000)).toEqual(['first', 'secönd', '', 'last']);
    expect(await tail(8)).toEqual(['', 'last']);
    expect(await tail(3)).toEqual([]);
    await host.appendFile(path, 'torn');
    expect(await tail(1_000)).toBeUndefined();
    await host.appendFile(path, ' and mended\n');
    expect((await tail(1_000))?.at(-1)).toBe('torn and mended');
    expect((await host.tailLines(path, { bytesMax: 1 }))?.modifiedAt).toBe((await host.stat(path))?.modifiedAt);
  });

  test('given a link, a pipe, a directory, a device and nothing, when one is read, then it neither answers nor waits', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/secret`, 'secret\n');
    await host.run('ln', ['-s', `${directory}/secret`, `${directory}/link`], WITHIN);
    await host.run('mkfifo', [`${directory}/pipe`], WITHIN);

    for (const path of [`${directory}/link`, `${directory}/pipe`, directory, '/dev/zero', `${directory}/nothing`]) {
      expect(await host.readRange(path, { from: 0, bytesMax: 10 })).toBeUndefined();
      expect(await host.tailLines(path, { bytesMax: 10 })).toBeUndefined();
    }
  });
}
