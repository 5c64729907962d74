/** Checks what becomes of commands on servers that allow little, are cut off, or are served by another gateway. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { HostError } from '../../src/index.ts';
import { sshdProgram, sshHostOn, startSshd, type TestSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

const WITHIN = { timeoutMs: 60_000 };

needs('sshd', sshdProgram(), () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  test('given a program that outlives its session and still writes, when the server is disposed of, then nothing is left', async () => {
    const short = await startSshd();
    await using host = sshHostOn(short);
    await host.open();
    const writes = 'n=0; while [ $n -lt 20000 ]; do n=$((n+1)); : >d/$n; done';
    const script = `cd "$1" && mkdir d && { setsid sh -c '${writes}' >/dev/null 2>&1 & }; until [ -e d/9 ]; do sleep 0.01; done`;
    await host.run('sh', ['-c', script, 'sh', short.home], WITHIN);

    await short[Symbol.asyncDispose]();

    expect(existsSync(short.directory)).toBe(false);
  });

  test('given an older gateway, when a newer one has come, then the older writes nothing more, and each epoch is kept', async () => {
    await using older = sshHostOn(sshd, { machine: 'fenced', epoch: 4 });
    await using newer = sshHostOn(sshd, { machine: 'fenced', epoch: 5 });
    const { hostId } = await older.open();
    const file = `${sshd.home}/fenced`;
    await older.writeFile(file, 'older');

    const arrival = await newer.open();
    await newer.writeFile(file, 'newer');

    expect(arrival).toMatchObject({ hostId, epoch: 5 });
    await expect(older.run('touch', [`${file}.old`], WITHIN)).rejects.toMatchObject({
      code: expect.stringMatching(/fenced|connection-lost|unreachable/u),
    });
    await expect(older.writeFile(file, 'older')).rejects.toThrow(/another gateway|connection/u);
    expect(await readFile(file, 'utf8')).toBe('newer');
    expect(await newer.stat(`${file}.old`)).toBeUndefined();
    await using late = sshHostOn(sshd, { machine: 'fenced', epoch: 4 });
    await expect(late.open()).rejects.toMatchObject({ code: 'fenced', retry: false });
  });

  test('given commands of a former gateway that still run, when a new one comes, then they are ended, with their children', async () => {
    await using former = sshHostOn(sshd, { machine: 'left', epoch: 5 });
    await former.open();
    const running = former.run('sh', ['-c', 'echo $$ >"$1"; sleep 600 & wait', 'sh', `${sshd.home}/pid`], WITHIN);
    const ended = codeOf(running);
    await expect.poll(() => readFile(`${sshd.home}/pid`, 'utf8').catch(() => '')).toMatch(/\d\n/u);
    const pid = Number(await readFile(`${sshd.home}/pid`, 'utf8'));

    await using next = sshHostOn(sshd, { machine: 'left', epoch: 5 });
    await next.open();

    expect(await ended).toBe('connection-lost');
    await expect.poll(() => next.processes.isRunning(pid)).toBe(false);
  });

  test('given a control client of a former gateway, when a new one comes, then it is ended, and the tmux server and others stay', async () => {
    await using former = sshHostOn(sshd, { machine: 'clients', epoch: 5 });
    const { stateDirectory } = await former.open();
    await former.mkdir(`${stateDirectory}/run`);
    const socket = ['-S', `${stateDirectory}/run/t`];
    await former.run('tmux', [...socket, '-f', '/dev/null', 'new-session', '-d', '-s', '_hub', 'cat'], WITHIN);
    onTestFinished(() => void execFileSync('tmux', [...socket, 'kill-server']));
    const client = await former.spawnStream('tmux', ['-u', ...socket, '-C', 'attach-session', '-t', '=_hub']);
    const clients = async (): Promise<string> =>
      (await next.run('tmux', [...socket, 'list-clients', '-F', '#{client_pid}'], WITHIN)).stdout;
    const outside = await former.spawnStream('sh', [
      '-c',
      'cat',
      'sh',
      '-S',
      '/elsewhere/run/t',
      '-C',
      'attach-session',
      'x',
    ]);

    await using next = sshHostOn(sshd, { machine: 'clients', epoch: 6 });
    await next.open();

    for await (const _ of client.output);
    await client.exit;
    await expect.poll(clients).toBe('');
    expect((await next.run('tmux', [...socket, 'list-sessions', '-F', '#S'], WITHIN)).stdout).toBe('_hub\n');
    outside.write('lives');
    for await (const chunk of outside.output) {
      expect(Buffer.from(chunk).toString()).toBe('lives');
      break;
    }
  });

  test('given a machine with the host-id of another, when it is reached, then it is refused as a copy, and nothing is claimed', async () => {
    await using first = sshHostOn(sshd, { machine: 'twin', epoch: 6 });
    const { hostId, epoch } = await first.open();

    await using copy = sshHostOn(sshd, { machine: 'copy', epoch: epoch + 1, others: new Map([[hostId, 'berta']]) });

    await expect(copy.open()).rejects.toMatchObject({ code: 'cloned', message: expect.stringContaining('"berta"') });
    expect(await first.run('echo', ['serves'], WITHIN)).toMatchObject({ stdout: 'serves\n' });
  });

  test('given another machine behind the same address, when it is reached, then it is refused', async () => {
    await using host = sshHostOn(sshd, { hostId: 'of-another', epoch: 5 });

    await expect(host.open()).rejects.toMatchObject({ code: 'other-machine', retry: false });
  });

  test('given a command that runs, when the server is killed, then its outcome is unknown, and the next is not run', async () => {
    await using server = await startSshd();
    await using host = sshHostOn(server);
    await host.open();
    const running = host.run('sh', ['-c', 'echo $$ >"$1"; exec sleep 600', 'sh', `${server.home}/begun`], WITHIN);
    const lost = codeOf(running);
    await expect.poll(() => readFile(`${server.home}/begun`, 'utf8').catch(() => '')).toMatch(/^\d+\n$/u);
    const pid = Number(await readFile(`${server.home}/begun`, 'utf8'));

    await server.killSessions();

    expect(await lost).toBe('connection-lost');
    server.process.kill('SIGKILL');
    await expect.poll(() => host.link.state.kind).toBe('down');
    await expect(host.run('true', [], WITHIN)).rejects.toMatchObject({ code: 'unreachable' });
    expect(host.failure()).toMatchObject({ retry: true });
    // The program outlives its server, as programs do: nobody else ends it.
    process.kill(pid, 'SIGKILL');
  });

  test('given a server that opens two channels, when many commands run and a stream, then all do', async () => {
    await using server = await startSshd({ lines: ['MaxSessions 2'] });
    await using host = sshHostOn(server);
    await host.open();
    const stream = await host.spawnStream('cat', []);

    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, at) => host.run('echo', [String(at)], WITHIN)));

    expect(outcomes.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 8 }, (_, at) => `${at}\n`));
    stream.kill();
    expect(await stream.exit).toMatchObject({ signal: 'SIGKILL' });
  });

  test('given a forced command, when a host is opened, then the error shows what came, and no attempt follows', async () => {
    await using server = await startSshd({ lines: ['ForceCommand echo only backups here'] });
    await using host = sshHostOn(server);

    await expect(host.open()).rejects.toThrow(/only backups here/u);
    expect(host.failure()).toMatchObject({ code: 'no-shell', retry: false });
  });

  test('given a startup file that reads, when a host is opened, then it fails in time instead of giving the file what was meant for the shell', async () => {
    await using server = await startSshd();
    await writeFile(join(server.home, '.bashrc'), 'echo asks; read answer; echo "got $answer"\n');
    await using host = sshHostOn(server);

    const opened = host.open();

    await expect(opened).rejects.toMatchObject({ code: 'no-shell' });
    await expect(opened).rejects.toThrow(/asks/u);
  });

  test('given a server that forbids forwarding, when a service is asked, then it has nothing to say', async () => {
    await using server = await startSshd({ lines: ['AllowTcpForwarding no'] });
    await using host = sshHostOn(server);
    await host.open();

    await expect(host.loopback.connect(server.port)).rejects.toThrow(/prohibited|failed/iu);
    await expect(host.loopback.connect('/run/nothing')).rejects.toThrow(/prohibited|failed/iu);
    await expect(host.loopback.freePort()).rejects.toThrow(/lets no port be looked at/u);
  });
});

/** The code of the error that a call ends with. */
function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    (error: unknown) => (error instanceof HostError ? error.code : error),
  );
}
