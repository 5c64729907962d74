// Measures what a machine over SSH costs its gateway, and how much later it is seen. Beside the local way, a channel for each command, and
// the system's ssh for each, in one run over an sshd on loopback.
//
// npm run bench -- ssh [--smoke] [--set only=commands|far|watch|hosts|add]
import { cpus, loadavg } from 'node:os';
import { sshdProgram, startSshd } from '@drover/host/testing';
import type { TestSshd } from '@drover/host/testing';
import type { Benchmark } from '../src/benchmark.ts';
import { table } from '../src/table.ts';
import { measureAdd } from './add.ts';
import { measureCommands } from './commands.ts';
import { measureFar } from './far.ts';
import type { Plan, Row } from './plan.ts';
import { measureHosts, measureWatch } from './watch.ts';

const FULL: Plan = { commands: 300, programs: 30, far: 20, panes: 50, hosts: 50, seconds: 20, added: 2 };
const SMOKE: Plan = { commands: 10, programs: 2, far: 2, panes: 4, hosts: 2, seconds: 2, added: 1 };

const PARTS: Readonly<Record<string, (sshd: TestSshd, plan: Plan) => Promise<readonly Row[]>>> = {
  commands: measureCommands,
  far: measureFar,
  watch: measureWatch,
  hosts: measureHosts,
  add: (_sshd, plan) => measureAdd(plan),
};

/** All parts, or with `--set only=PART` one of them. */
export const benchmark: Benchmark = {
  about: 'ssh: a machine over SSH beside a local one, and beside an ssh process for each command',
  async run({ smoke, settings }) {
    if (sshdProgram() === undefined) {
      console.log('Nothing was measured: there is no sshd here. On Debian and Ubuntu: apt-get install openssh-server');
      return smoke;
    }
    const only = settings['only'];
    const parts = only === undefined ? Object.keys(PARTS) : [only];
    await using sshd = await startSshd({ maxStartups: '500' });
    const rows: Row[] = [];
    for (const part of parts) {
      const measure = PARTS[part];
      if (measure === undefined) throw new Error(`only=${part} is none of ${Object.keys(PARTS).join(', ')}`);
      rows.push(...(await measure(sshd, smoke ? SMOKE : FULL)));
    }
    const cells = rows.map(({ what, found, beside, aim, met }) => [what, found, beside, aim, said(met)]);
    console.log(table(['what', 'over SSH', 'beside it', 'aim', ''], cells));
    const load = loadavg().map((one) => one.toFixed(1));
    console.log(`\n${cpus().length} processors (${cpus()[0]?.model.trim() ?? ''}), load ${load.join(', ')}`);
    return smoke || rows.every(({ met }) => met !== false);
  },
};

function said(met: boolean | null): string {
  return met === null ? '' : met ? 'met' : 'MISSED';
}
