/** Are programs run, limited and stopped as asked? */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { createLocalHost, HostError } from '../src/index.ts';

const host = createLocalHost({ env: { ...process.env, OWN: 'own', REMOVED: 'x' } });
const WITHIN = { timeoutMs: 10_000 };

test('given a program, when it runs, then status, outputs and input are its own', async () => {
  const script = 'cat; printf "%s" "$1" >&2; exit 3';

  const outcome = await host.run('sh', ['-c', script, 'sh', 'a b;$x'], { ...WITHIN, input: 'é' });

  expect(outcome).toMatchObject({ status: 3, stdout: 'é', stderr: 'a b;$x', timedOut: false });
  expect(outcome.signal).toBeUndefined();
  expect([...outcome.stdoutBytes]).toEqual([0xc3, 0xa9]);
});

test('given changes to the environment, when a program runs, then it has the host’s own with these', async () => {
  const script = 'printf "%s %s %s" "$OWN" "${REMOVED-none}" "$ADDED"; pwd';
  const env = { REMOVED: undefined, ADDED: 'added ' };

  const outcome = await host.run('sh', ['-c', script], { ...WITHIN, env, cwd: '/' });

  expect(outcome.stdout).toBe('own none added /\n');
});

test('given a signal ends a program, when it has run, then the outcome names it', async () => {
  const outcome = await host.run('sh', ['-c', 'kill -9 $$'], WITHIN);

  expect(outcome).toMatchObject({ status: undefined, signal: 'SIGKILL', timedOut: false });
});

test.each([
  ['program-missing', 'no-such-program-here', '/'],
  ['program-missing', '/no/such/program', '/'],
  ['not-executable', '/etc/passwd', '/'],
  ['cwd-missing', 'true', '/no/such/directory'],
] as const)('given a cause of %s, when "%s" is run in %s, then the error says so', async (code, program, cwd) => {
  const running = host.run(program, [], { ...WITHIN, cwd });

  await expect(running).rejects.toBeInstanceOf(HostError);
  await expect(running).rejects.toMatchObject({ code, program });
  await expect(host.spawnStream(program, [], { cwd })).rejects.toMatchObject({ code, program });
});

test('given a deadline, when it passes, then the program and its children are killed and the output so far is kept', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'drover-host-'));
  const pidFile = join(dir, 'pid');
  const script = 'echo before; sleep 600 & echo $! > "$1"; wait';

  const outcome = await host.run('sh', ['-c', script, 'sh', pidFile], { timeoutMs: 500 });

  expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL', stdout: 'before\n' });
  const child = Number(await readFile(pidFile, 'utf8'));
  await vi.waitFor(async () => expect(await isRunning(child)).toBe(false), { timeout: 60_000 });
  await rm(dir, { recursive: true });
});

test('given a caller who gives up, when before or during the run, then it fails as aborted', async () => {
  const giveUp = new AbortController();
  const running = host.run('sleep', ['600'], { timeoutMs: 60_000, signal: giveUp.signal });

  giveUp.abort();

  await expect(running).rejects.toMatchObject({ code: 'aborted' });
  const again = host.run('true', [], { ...WITHIN, signal: giveUp.signal });
  await expect(again).rejects.toMatchObject({ code: 'aborted' });
});

test('given a limit, when a program writes more, then it is killed and the error says so', async () => {
  const running = host.run('sh', ['-c', 'yes'], { ...WITHIN, outputBytesMax: 10_000 });

  await expect(running).rejects.toMatchObject({ code: 'output-too-large' });
});

test('given a limit whose excess is dropped, when a program writes more, then it ends by itself and its first bytes are kept', async () => {
  const words = ['-c', 'head -c 3000000 /dev/zero | tr "\\0" x; echo oops >&2; exit 3'];

  const outcome = await host.run('sh', words, { ...WITHIN, outputBytesMax: 10_000, excess: 'drop' });

  expect(outcome).toMatchObject({ status: 3, stdout: 'x'.repeat(10_000), stderr: 'oops\n', timedOut: false });
});

test('given a program that leaves a child with its outputs open, when it exits, then the run ends too', async () => {
  const outcome = await host.run('sh', ['-c', 'sleep 20 & echo $!'], WITHIN);

  expect(outcome).toMatchObject({ status: 0, timedOut: false });
  await host.run('kill', [outcome.stdout.trim()], WITHIN);
});

test('given a program that does not read, when it gets much input, then its status is the outcome', async () => {
  const outcome = await host.run('sh', ['-c', 'exit 4'], { ...WITHIN, input: 'x'.repeat(5_000_000) });

  expect(outcome.status).toBe(4);
});

test('given a stream, when it is written to and its input closed, then its output and end are seen', async () => {
  const stream = await host.spawnStream('sh', ['-c', 'cat; echo oops >&2; exit 5']);
  stream.write('one ');
  stream.write(Buffer.from('two'));
  stream.end();
  stream.write('too late');

  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.output) chunks.push(chunk);

  expect(Buffer.concat(chunks).toString()).toBe('one two');
  expect(await stream.exit).toEqual({ status: 5, signal: undefined, stderr: 'oops\n' });
});

test('given a stream that nobody reads, when it is killed, then its end is seen', async () => {
  const stream = await host.spawnStream('yes', []);

  stream.kill();

  expect(await stream.exit).toMatchObject({ signal: 'SIGKILL' });
});

/** A killed child may stay for a moment as a zombie of whoever inherited it. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await host.run('ps', ['-o', 'stat=', '-p', String(pid)], WITHIN);
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
