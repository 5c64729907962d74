// Measures what one command costs, by the shells that are kept warm, by a channel for each, and by the system's ssh for each.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLocalHost } from '@drover/host';
import { reach, sshHostOn, type TestSshd } from '@drover/host/testing';
import { treeCpuMs } from '../eyes-hands/cpu.ts';
import { median, ms } from '../src/table.ts';
import type { Plan, Row } from './plan.ts';

const LIMITS = { timeoutMs: 30_000 };

/** Milliseconds that one way takes for a command: as one waits for it, and of the gateway's processor with the programs that it starts. */
interface Cost {
  readonly waitMs: number;
  readonly cpuMs: number;
}

/** The four ways, one after the other. */
export async function measureCommands(sshd: TestSshd, { commands, programs }: Plan): Promise<readonly Row[]> {
  const local = createLocalHost({ env: process.env });
  await using host = sshHostOn(sshd);
  await host.open();
  const here = await costOf(sshd, commands, () => local.run('true', [], LIMITS));
  const warm = await costOf(sshd, commands, () => host.run('true', [], LIMITS));
  const channel = await byChannels(sshd, commands);
  const program = await costOf(sshd, programs, () => bySsh(sshd));
  return [
    {
      what: 'a command, no distance',
      found: ms(warm.waitMs),
      beside: `local ${ms(here.waitMs)}, a channel each ${ms(channel.waitMs)}, ssh each ${ms(program.waitMs)}`,
      aim: '',
      met: null,
    },
    {
      what: '  its CPU in the gateway',
      found: ms(warm.cpuMs),
      beside: `local ${ms(here.cpuMs)}, a channel each ${ms(channel.cpuMs)}, ssh each ${ms(program.cpuMs)} = 1/${(program.cpuMs / warm.cpuMs).toFixed(1)}`,
      aim: '1/5 of an ssh process',
      met: warm.cpuMs * 5 <= program.cpuMs,
    },
  ];
}

/** Processor time of an ssh process that runs one command, in milliseconds. */
export async function costOfSsh(sshd: TestSshd, times: number): Promise<number> {
  return (await costOf(sshd, times, () => bySsh(sshd))).cpuMs;
}

async function byChannels(sshd: TestSshd, times: number): Promise<Cost> {
  await using carrier = await reach(sshd);
  return await costOf(sshd, times, async () => {
    const channel = await carrier.open('true');
    channel.output.resume();
    channel.input.end();
    await channel.exit;
  });
}

async function bySsh({ directory, user, port, keyFile, hostKey }: TestSshd): Promise<void> {
  const known = join(directory, 'known-bench');
  const options = ['-F', 'none', '-i', keyFile, '-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=yes'];
  const trust = [
    '-o',
    `KnownHostsCommand=/bin/echo [127.0.0.1]:${port} ${hostKey}`,
    '-o',
    `UserKnownHostsFile=${known}`,
  ];
  await promisify(execFile)('ssh', [...options, ...trust, '-p', String(port), `${user}@127.0.0.1`, 'true']);
}

async function costOf(sshd: TestSshd, times: number, run: () => Promise<unknown>): Promise<Cost> {
  await run();
  const waits: number[] = [];
  const before = gatewayCpuMs(sshd);
  for (let count = 0; count < times; count += 1) {
    const start = performance.now();
    await run();
    waits.push(performance.now() - start);
  }
  return { waitMs: median(waits), cpuMs: (gatewayCpuMs(sshd) - before) / times };
}

/** Counts this process and what it starts, without the server, which belongs to the host. */
function gatewayCpuMs(sshd: TestSshd): number {
  return treeCpuMs(process.pid) - treeCpuMs(sshd.process.pid ?? 0);
}
