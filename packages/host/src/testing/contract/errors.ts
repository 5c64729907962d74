/** Checks that an operation that the system refuses says why, by the system's own name. */
import { expect, test } from 'vitest';

import type { Tried } from './open-host.ts';

export function errorContract(tried: () => Promise<Tried>): void {
  test('given paths at which something else is, or nothing, when they are used, then the error has the name of the reason', async () => {
    const { host, directory } = await tried();
    const missing = `${directory}/no/a`;
    await host.writeFile(`${directory}/file`, 'x');

    await expect(host.writeFile(missing, 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.writeFile(missing, 'x', { inPlace: true })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.appendFile(missing, 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.truncate(missing, 0)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.sha256(missing)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.rename(missing, `${directory}/b`)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.copy(missing, `${directory}/b`)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(host.readFile(directory)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(host.appendFile(directory, 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(host.mkdir(`${directory}/file`)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(host.mkdir(`${directory}/file/below`)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(host.writeFile(`${directory}/file/below`, 'x')).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test.skipIf(process.getuid?.() === 0)(
    'given a directory that may not be written or searched, when it is used, then the error says so',
    async () => {
      const { host, directory } = await tried();
      await host.mkdir(`${directory}/closed`);
      await host.run('chmod', ['0', `${directory}/closed`], { timeoutMs: 60_000 });

      await expect(host.writeFile(`${directory}/closed/a`, 'x')).rejects.toMatchObject({ code: 'EACCES' });
      await expect(host.readdir(`${directory}/closed`)).rejects.toMatchObject({ code: 'EACCES' });
      await expect(host.stat(`${directory}/closed/a`)).rejects.toMatchObject({ code: 'EACCES' });
      await host.run('chmod', ['700', `${directory}/closed`], { timeoutMs: 60_000 });
    },
  );
}
