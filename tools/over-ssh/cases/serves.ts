// Lists what every machine has to do, whatever its server and its startup files are like.
import { type SshHost } from '@drover/host/ssh';
import { expect } from 'vitest';

const WITHIN = { timeoutMs: 60_000 };

/** Programs with input, many at once, files, a watch, a stream, and one that is killed with its children. */
export async function expectServes(host: SshHost, directory: string): Promise<void> {
  const outcome = await host.run('sh', ['-c', 'cat; printf "%s" "$1" >&2; exit 3', 'sh', "a'b\n!$x"], {
    ...WITHIN,
    input: 'é\0',
  });
  expect(outcome).toMatchObject({ status: 3, stdout: 'é\0', stderr: "a'b\n!$x" });
  const stream = await host.spawnStream('cat', []);
  const watched = `${directory}/watched`;
  await host.mkdir(watched);
  const names: string[] = [];
  const watch = await host.watch(watched, (name) => names.push(name));
  expect(watch).toBeDefined();
  const many = await Promise.all(Array.from({ length: 8 }, (_, at) => host.run('echo', [String(at)], WITHIN)));
  expect(many.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 8 }, (_, at) => `${at}\n`));
  await host.appendFile(`${watched}/news`, 'event\n');
  await expect.poll(() => names).toContain('event');
  const large = 'x'.repeat(300_000);
  await host.writeFile(`${directory}/large`, large);
  expect(Buffer.from((await host.readFile(`${directory}/large`)) ?? '').toString()).toBe(large);
  stream.write('streamed');
  stream.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.output) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('streamed');
  watch?.[Symbol.dispose]();
  const stopped = await host.run('sh', ['-c', 'echo $$; sleep 600 & echo $!; wait'], { timeoutMs: 1_500 });
  expect(stopped).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  for (const pid of stopped.stdout.trim().split('\n')) {
    await expect.poll(() => host.processes.isRunning(Number(pid))).toBe(false);
  }
  const environment = await host.environment();
  expect(environment['LC_ALL'] ?? environment['LC_CTYPE'] ?? environment['LANG']).toMatch(/utf-?8/iu);
}
