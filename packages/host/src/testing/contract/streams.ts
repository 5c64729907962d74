/** Checks that a program is held as a stream of bytes. */
import { expect, test } from 'vitest';

import type { ByteStream } from '../../host.ts';
import type { Tried } from './open-host.ts';

export function streamContract(tried: () => Promise<Tried>): void {
  test('given a stream, when it is written to and its input closed, then its output and end are seen', async () => {
    const { host } = await tried();
    const stream = await host.spawnStream('sh', ['-c', 'cat; echo oops >&2; exit 5']);
    stream.write('one ');
    stream.write(Buffer.from('two'));
    stream.end();
    stream.write('too late');

    expect(await allOf(stream)).toBe('one two');
    expect(await stream.exit).toEqual({ status: 5, signal: undefined, stderr: 'oops\n' });
  });

  test('given a stream that nobody reads, when it is killed, then its end is seen', async () => {
    const { host } = await tried();
    const stream = await host.spawnStream('yes', []);

    stream.kill();

    expect(await stream.exit).toMatchObject({ signal: 'SIGKILL' });
  });

  test('given a stream in a directory with a variable, when its program says them, then they are those', async () => {
    const { host, directory } = await tried();
    const options = { cwd: directory, env: { ADDED: 'added', REMOVED: undefined } };

    const stream = await host.spawnStream('sh', ['-c', 'echo "$OWN $ADDED ${REMOVED-none}"; pwd'], options);
    stream.end();

    expect(await allOf(stream)).toBe(`own added none\n${directory}\n`);
  });
}

async function allOf({ output }: ByteStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
