/** Checks that programs are run, limited and stopped as asked. */
import { expect, test, vi } from 'vitest';

import { HostError } from '../../errors.ts';
import { textOf, type Tried, WITHIN } from './open-host.ts';

export function programContract(tried: () => Promise<Tried>): void {
  test('given a program, when it runs, then status, outputs and input are its own', async () => {
    const { host } = await tried();
    const script = 'cat; printf "%s" "$1" >&2; exit 3';

    const outcome = await host.run('sh', ['-c', script, 'sh', 'a b;$x'], { ...WITHIN, input: 'é' });

    expect(outcome).toMatchObject({ status: 3, stdout: 'é', stderr: 'a b;$x', timedOut: false });
    expect(outcome.signal).toBeUndefined();
    expect([...outcome.stdoutBytes]).toEqual([0xc3, 0xa9]);
  });

  test('given words of every character, when a program gets them, then they arrive as they are', async () => {
    const { host } = await tried();
    const words = [ODD, '', '-n', '--', '~', '*', "it's", '!!', 'a\\', 'x'.repeat(100_000)];

    const outcome = await host.run('printf', ['%s\\0', ...words], WITHIN);

    expect(outcome.stdout.split('\0').slice(0, -1)).toEqual(words);
  });

  test('given input of every byte, when a program copies it, then it comes back as it was', async () => {
    const { host } = await tried();
    const input = Buffer.concat(Array.from({ length: 400 }, () => Buffer.from(EVERY_BYTE)));

    const outcome = await host.run('cat', [], { ...WITHIN, input });

    expect(Buffer.compare(Buffer.from(outcome.stdoutBytes), input)).toBe(0);
  });

  test('given changes to the environment, when a program runs, then it has the host’s own with these', async () => {
    const { host, directory } = await tried();
    const script = 'printf "%s %s %s" "$OWN" "${REMOVED-none}" "$ADDED"; pwd';
    const env = { REMOVED: undefined, ADDED: 'added\n' };

    const outcome = await host.run('sh', ['-c', script], { ...WITHIN, env, cwd: directory });

    expect(outcome.stdout).toBe(`own none added\n${directory}\n`);
  });

  test('given a signal ends a program, when it has run, then the outcome names it', async () => {
    const { host } = await tried();

    const outcome = await host.run('sh', ['-c', 'kill -9 $$'], WITHIN);

    expect(outcome).toMatchObject({ status: undefined, signal: 'SIGKILL', timedOut: false });
  });

  test.each([
    ['program-missing', 'no-such-program-here', '/'],
    ['program-missing', '/no/such/program', '/'],
    ['not-executable', '/etc/passwd', '/'],
    ['cwd-missing', 'true', '/no/such/directory'],
  ] as const)('given a cause of %s, when "%s" is run in %s, then the error says so', async (code, program, cwd) => {
    const { host } = await tried();
    const running = host.run(program, [], { ...WITHIN, cwd });

    await expect(running).rejects.toBeInstanceOf(HostError);
    await expect(running).rejects.toMatchObject({ code, program });
    await expect(host.spawnStream(program, [], { cwd })).rejects.toMatchObject({ code, program });
  });

  test('given a deadline, when it passes, then the program and its children are killed and the output so far is kept', async () => {
    const { host, directory } = await tried();
    const pidFile = `${directory}/pid`;
    const script = 'echo before; sleep 600 & echo $! > "$1"; wait';

    const outcome = await host.run('sh', ['-c', script, 'sh', pidFile], { timeoutMs: 2_000 });

    expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL', stdout: 'before\n' });
    const child = Number(textOf(await host.readFile(pidFile)));
    expect(child).toBeGreaterThan(1);
    await vi.waitFor(async () => expect(await host.processes.isRunning(child)).toBe(false), { timeout: 60_000 });
  });

  test('given a caller who gives up, when before or during the run, then it fails as aborted', async () => {
    const { host } = await tried();
    const giveUp = new AbortController();
    const running = host.run('sleep', ['600'], { ...WITHIN, signal: giveUp.signal });

    giveUp.abort();

    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    const again = host.run('true', [], { ...WITHIN, signal: giveUp.signal });
    await expect(again).rejects.toMatchObject({ code: 'aborted' });
  });

  test('given a limit, when a program writes more, then it is killed and the error says so', async () => {
    const { host } = await tried();
    // The output ends: over a loaded connection a kill waits behind endless output, and the run counts as lost after 10 s.
    const words = ['-c', 'head -c 3000000 /dev/zero; exec sleep 600'];
    const running = host.run('sh', words, { ...WITHIN, outputBytesMax: 10_000 });

    await expect(running).rejects.toMatchObject({ code: 'output-too-large' });
  });

  test('given a limit whose excess is dropped, when a program writes more, then it ends by itself and its first bytes are kept', async () => {
    const { host } = await tried();
    const words = ['-c', 'head -c 3000000 /dev/zero | tr "\\0" x; echo oops >&2; exit 3'];

    const outcome = await host.run('sh', words, { ...WITHIN, outputBytesMax: 10_000, excess: 'drop' });

    expect(outcome).toMatchObject({ status: 3, stdout: 'x'.repeat(10_000), stderr: 'oops\n', timedOut: false });
  });

  test('given a program that leaves a child with its outputs open, when it exits, then the run ends too', async () => {
    const { host } = await tried();

    const outcome = await host.run('sh', ['-c', 'sleep 600 & echo $!'], WITHIN);

    expect(outcome).toMatchObject({ status: 0, timedOut: false });
    expect(await host.processes.signal(Number(outcome.stdout), 'SIGKILL')).toBe(true);
  });

  test('given a program that does not read, when it gets much input, then its status is the outcome', async () => {
    const { host } = await tried();

    const outcome = await host.run('sh', ['-c', 'exit 4'], { ...WITHIN, input: 'x'.repeat(5_000_000) });

    expect(outcome.status).toBe(4);
  });

  test('given many programs at once, when they run, then each gets its own answer', async () => {
    const { host } = await tried();
    const numbers = Array.from({ length: 30 }, (_, index) => String(index));

    const outcomes = await Promise.all(numbers.map((number) => host.run('echo', [number], WITHIN)));

    expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual(numbers);
  });
}

/** All characters that a word or a name may hold, but `/`. */
export const ODD = Array.from({ length: 255 }, (_, index) => String.fromCodePoint(index + 1))
  .filter((character) => character !== '/')
  .join('');

/** All bytes. */
export const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);
