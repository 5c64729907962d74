/** Checks that files are read, written, moved and removed as asked, whatever their names. */
import { expect, test } from 'vitest';

import type { Host } from '../../host.ts';
import { textOf, type Tried, WITHIN } from './open-host.ts';
import { EVERY_BYTE, ODD } from './programs.ts';

export function fileContract(tried: () => Promise<Tried>): void {
  test('given nothing at a path, when it is asked for, then the answer is undefined', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/file`, '');

    for (const path of [`${directory}/nothing/here`, `${directory}/file/below`]) {
      expect(await host.readFile(path)).toBeUndefined();
      expect(await host.readFile(path, { bytesMax: 3 })).toBeUndefined();
      expect(await host.stat(path)).toBeUndefined();
      expect(await host.lstat(path)).toBeUndefined();
      expect(await host.realpath(path)).toBeUndefined();
      expect(await host.readdir(path)).toBeUndefined();
    }
    await host.removeFile(`${directory}/nothing/here`);
    await host.removeTree(`${directory}/nothing/here`);
    expect(await host.readdir(`${directory}/file`)).toBeUndefined();
  });

  test('given a file, when it is written, appended to and read, then it holds both and only its owner may read', async () => {
    const { host, directory } = await tried();
    const path = `${directory}/a`;

    await host.writeFile(path, 'one');
    await host.appendFile(path, Buffer.from(' two'));
    await host.appendFile(`${directory}/b`, EVERY_BYTE);
    await host.appendFile(`${directory}/c`, '', { mode: 0o640 });

    expect(textOf(await host.readFile(path))).toBe('one two');
    expect(textOf(await host.readFile(path, { bytesMax: 5 }))).toBe('one t');
    expect(await host.readFile(`${directory}/b`)).toEqual(Buffer.from(EVERY_BYTE));
    expect(await host.stat(path)).toMatchObject({ kind: 'file', size: 7, links: 1 });
    expect(await modeOf(host, path)).toBe('-rw-------');
    expect(await modeOf(host, `${directory}/b`)).toBe('-rw-------');
    expect(await modeOf(host, `${directory}/c`)).toBe('-rw-r-----');
  });

  test('given a large file of every byte, when it is written and read, then it is the same', async () => {
    const { host, directory } = await tried();
    const content = Buffer.concat(Array.from({ length: 5_000 }, () => Buffer.from(EVERY_BYTE)));

    await host.writeFile(`${directory}/large`, content);

    const read = Buffer.from((await host.readFile(`${directory}/large`)) ?? []);
    expect(read.equals(content)).toBe(true);
    expect(await host.sha256(`${directory}/large`)).toMatch(/^[0-9a-f]{64}$/u);
  });

  test('given a text, when its SHA-256 is asked for, then it is that of the standard', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/abc`, 'abc');

    const digest = await host.sha256(`${directory}/abc`);

    expect(digest).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('given many writers, when they write one file at once, then it holds one of their texts whole and no drafts stay', async () => {
    const { host, directory } = await tried();
    const texts = ['x', 'y', 'z'].map((letter) => letter.repeat(100_000));

    await Promise.all(texts.map((text) => host.writeFile(`${directory}/a`, text)));

    expect(texts).toContain(textOf(await host.readFile(`${directory}/a`)));
    expect(await host.readdir(directory)).toEqual([{ name: 'a', kind: 'file' }]);
  });

  test('given a link to a file, when it is written in place, then the file keeps its inode and permissions; else the link is replaced', async () => {
    const { host, directory } = await tried();
    const [file, link] = [`${directory}/file`, `${directory}/link`];
    await host.writeFile(file, 'a longer text', { mode: 0o640 });
    await host.run('ln', ['-s', file, link], WITHIN);
    const before = await host.stat(file);

    await host.writeFile(link, 'new', { inPlace: true });

    expect(textOf(await host.readFile(file))).toBe('new');
    expect(await host.stat(file)).toMatchObject({ inode: before?.inode, size: 3 });
    expect(await modeOf(host, file)).toBe('-rw-r-----');
    await host.writeFile(link, 'other');
    expect(textOf(await host.readFile(file))).toBe('new');
    expect(await host.lstat(link)).toMatchObject({ kind: 'file', size: 5 });
  });

  test('given a directory to be, when it is made twice, then it and its parents are there, for their owner alone', async () => {
    const { host, directory } = await tried();
    const path = `${directory}/b/c`;

    await host.mkdir(path);
    await host.mkdir(path);

    expect(await host.stat(path)).toMatchObject({ kind: 'directory' });
    for (const made of [path, `${directory}/b`]) expect(await modeOf(host, made)).toBe('drwx------');
  });

  test('given a link, a pipe and a directory, when they are looked at, then each is what it is, and links are followed on request', async () => {
    const { host, directory } = await tried();
    await host.mkdir(`${directory}/real/deep`);
    await host.run('ln', ['-s', 'real', `${directory}/link`], WITHIN);
    await host.run('ln', ['-s', 'nowhere', `${directory}/dangling`], WITHIN);
    await host.run('mkfifo', [`${directory}/pipe`], WITHIN);

    expect(await host.lstat(`${directory}/link`)).toMatchObject({ kind: 'link' });
    expect(await host.stat(`${directory}/link`)).toMatchObject({ kind: 'directory' });
    expect(await host.lstat(`${directory}/dangling`)).toMatchObject({ kind: 'link' });
    expect(await host.stat(`${directory}/dangling`)).toBeUndefined();
    expect(await host.realpath(`${directory}/dangling`)).toBeUndefined();
    expect(await host.realpath(`${directory}/link/deep`)).toBe(`${directory}/real/deep`);
    const entries = (await host.readdir(directory)) ?? [];
    expect(entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { name: 'dangling', kind: 'other' },
      { name: 'link', kind: 'other' },
      { name: 'pipe', kind: 'other' },
      { name: 'real', kind: 'directory' },
    ]);
  });

  test('given a program of a day ago, when it is copied over another file, then permissions and time go along', async () => {
    const { host, directory } = await tried();
    const [from, to] = [`${directory}/from`, `${directory}/to`];
    await host.writeFile(from, '#!/bin/sh\necho hello\n', { mode: 0o755 });
    await host.run('touch', ['-t', '202601021314.15', from], WITHIN);
    await host.writeFile(to, 'older and longer than the other one');

    await host.run('ln', ['-s', from, `${directory}/link`], WITHIN);

    await host.copy(`${directory}/link`, to);

    expect(await host.lstat(to)).toMatchObject({ kind: 'file' });
    expect((await host.run(to, [], WITHIN)).stdout).toBe('hello\n');
    expect(await host.stat(to)).toMatchObject({ modifiedAt: (await host.stat(from))?.modifiedAt });
  });

  test('given a file that nobody may write, when it is copied and flushed, then the copy is the same, and a failure is told', async () => {
    const { host, directory } = await tried();
    const [from, to] = [`${directory}/from`, `${directory}/to it`];
    await host.writeFile(from, 'one\n', { mode: 0o444 });

    await host.copy(from, to, { flush: true });

    expect(textOf(await host.readFile(to))).toBe('one\n');
    expect(await modeOf(host, to)).toBe('-r--r--r--');
    await expect(host.copy(`${directory}/missing`, to, { flush: true })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('given a file, when it is renamed over another, then one is left; a second name is counted', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/a`, 'a');
    await host.writeFile(`${directory}/b`, 'b');
    await host.run('ln', [`${directory}/a`, `${directory}/name`], WITHIN);
    expect(await host.stat(`${directory}/a`)).toMatchObject({ links: 2 });

    await host.rename(`${directory}/a`, `${directory}/b`);

    expect(textOf(await host.readFile(`${directory}/b`))).toBe('a');
    expect(await host.stat(`${directory}/a`)).toBeUndefined();
  });

  test('given a file, when it is cut, then its first bytes are left', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/a`, 'one two');

    await host.truncate(`${directory}/a`, 3);

    expect(textOf(await host.readFile(`${directory}/a`))).toBe('one');
  });

  test('given a tree with a link out of it, when it is removed, then what the link leads to stays', async () => {
    const { host, directory } = await tried();
    await host.mkdir(`${directory}/tree/below`);
    await host.writeFile(`${directory}/tree/below/file`, 'x');
    await host.writeFile(`${directory}/kept`, 'kept');
    await host.run('ln', ['-s', directory, `${directory}/tree/out`], WITHIN);
    await host.run('ln', ['-s', `${directory}/kept`, `${directory}/alone`], WITHIN);

    await host.removeTree(`${directory}/tree`);
    await host.removeFile(`${directory}/alone`);

    expect(await host.readdir(directory)).toEqual([{ name: 'kept', kind: 'file' }]);
  });

  test.each([ODD.slice(0, 120), `-${ODD.slice(120, 190)}`, ODD.slice(190), ' ', '-rf', 'a\nb', "it's", '$(id)'])(
    'given the name %j, when a file of it is used in every way, then only that file is',
    async (name) => {
      const { host, directory } = await tried();
      const [path, other] = [`${directory}/${name}`, `${directory}/other/${name}`];
      await host.mkdir(`${directory}/other`);

      await host.writeFile(path, 'one');
      await host.appendFile(path, ' two');
      await host.copy(path, other);
      await host.rename(other, `${other}.x`);

      expect(await host.realpath(path)).toBe(path);
      expect(await host.readdir(`${directory}/other`)).toEqual([{ name: `${name}.x`, kind: 'file' }]);
      expect(textOf((await host.readRange(`${other}.x`, { from: 2, bytesMax: 3 }))?.bytes)).toBe('e t');
      await host.removeFile(path);
      await host.removeTree(`${directory}/other`);
      expect(await host.readdir(directory)).toEqual([]);
    },
  );
}

async function modeOf(host: Host, path: string): Promise<string> {
  const { stdout } = await host.run('ls', ['-ld', path], WITHIN);
  return stdout.slice(0, 10);
}
