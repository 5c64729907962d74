/** Reads what a machine that is reached by a connection is and has. Asks with what every POSIX system has. */
import type { LocalClock } from '@drover/base';
import type { HostFacts, HostLoad, Machine, Processes } from '../../port/machine.ts';
import { startIn } from '../../process-stat.ts';
import { operate } from '../files/operate.ts';
import type { Bodies } from '../run-body.ts';
import { line, quote } from '../shell/quote.ts';
import { ClockOffset } from './clock-offset.ts';

export interface MachineTools {
  readonly bodies: Bodies;
  readonly clock: LocalClock;
}

type Asked = Pick<Machine, 'facts' | 'load' | 'findProgram' | 'disk' | 'processes' | 'clockOffsetMs' | 'noteTime'>;

/** The part of a machine that is asked with single lines. */
export function sshMachine({ bodies, clock }: MachineTools): Asked {
  const ask = (name: string, path: string, body: Buffer): Promise<string> =>
    operate(bodies, { name, path }, body).then(String);
  const offset = new ClockOffset();
  return {
    processes: sshProcesses(bodies),
    clockOffsetMs: () => offset.ms,
    noteTime: (reading) => offset.note(reading),
    async facts() {
      const before = clock.now();
      const text = await ask('ask for the facts of', '/', Buffer.from(FACTS));
      const after = clock.now();
      const [seconds = '', ...lines] = text.split('\n');
      offset.noteText(seconds, { before, after });
      return readFacts(lines);
    },
    load: async () => readLoad(await ask('ask for the load of', '/', Buffer.from(LOAD))),
    async findProgram(program) {
      if (program === '') return undefined;
      const found = await ask('find', program, line`_dW ${quote(program)} || :`);
      return found === '' ? undefined : found;
    },
    async disk(path) {
      const body = line`p=${quote(path)}; while [ ! -e "$p" ] && [ "$p" != / ]; do p=\${p%/*}; p=\${p:-/}; done; df -Pk "$p" || :`;
      const sizes = /\s(\d+)\s+\d+\s+(\d+)\s+\d+%\s/u.exec(await ask('look at the disk of', path, body));
      return sizes === null ? undefined : { bytes: Number(sizes[1]) * 1024, freeBytes: Number(sizes[2]) * 1024 };
    },
  };
}

/** The time comes first, in seconds and where the system can in nanoseconds. */
const FACTS = [
  'date +%s.%N',
  'uname -n',
  'uname -s',
  'printf "%s\\n" "$HOME"',
  '{ cat /proc/sys/kernel/random/boot_id || sysctl -n kern.bootsessionuuid || sysctl -n kern.boottime || echo; } 2>/dev/null',
  'z=${TZ#:}; [ -n "$z" ] || z=$(readlink /etc/localtime); case $z in */zoneinfo/*) z=${z##*/zoneinfo/};; ?*) ;; *) z=$(cat /etc/timezone 2>/dev/null || date +%Z);; esac; printf "%s\\n" "$z"',
].join('; ');

function readFacts([hostname = '', system = '', home = '', bootId = '', zone = '']: readonly string[]): HostFacts {
  return { hostname, platform: system.toLowerCase(), home, bootId: bootId === '' ? null : bootId, zone };
}

const LOAD =
  'getconf _NPROCESSORS_ONLN || nproc || sysctl -n hw.ncpu; { cat /proc/loadavg || sysctl -n vm.loadavg; } 2>/dev/null; { cat /proc/meminfo || { sysctl -n hw.memsize; vm_stat; }; } 2>/dev/null';

function readLoad(text: string): HostLoad {
  const [processors = '', load = '', ...memory] = text.split('\n');
  const all = memory.join('\n');
  const kilobytes = (name: string): number | undefined => {
    const row = memory.find((one) => one.startsWith(`${name}:`));
    const found = /^(\d+) kB/u.exec(row?.slice(name.length + 1).trimStart() ?? '');
    return found === null ? undefined : Number(found[1]) * 1024;
  };
  const pages =
    Number(/page size of (\d+)/u.exec(all)?.[1] ?? 4096) * Number(/Pages free:\s+(\d+)/u.exec(all)?.[1] ?? 0);
  return {
    processors: Number(processors),
    load: Number.parseFloat(load.replace(/^\{ /u, '')),
    memory: {
      bytes: kilobytes('MemTotal') ?? Number(memory[0] ?? 0),
      freeBytes: kilobytes('MemAvailable') ?? kilobytes('MemFree') ?? pages,
    },
  };
}

/** The state in the row of `ps` that begins with this process number. */
function stateIn(text: string, pid: number): string | undefined {
  const rows = text.split('\n').map((row) => row.trim().split(/\s+/u));
  return rows.find(([id]) => id === String(pid))?.[1];
}

function sshProcesses(bodies: Bodies): Processes {
  const ask = async (name: string, pid: number, body: Buffer): Promise<string> =>
    String(await operate(bodies, { name, path: String(pid) }, body));
  return {
    async isRunning(pid) {
      const status = Buffer.from('if [ -d /proc/self ]; then');
      const body = line`${status} { IFS= read -r s </proc/${pid}/stat; } 2>/dev/null && printf "%s" "\${s##*) }" || :; else ps -A -o pid= -o stat=; fi`;
      const text = await ask('look at process', pid, body);
      const state = /^\s*[A-Za-z]/u.test(text) ? text : stateIn(text, pid);
      return state !== undefined && /^\s*[^ZX\s]/u.test(state);
    },
    async startOf(pid) {
      const body = line`{ IFS= read -r s </proc/${pid}/stat; } 2>/dev/null && printf "%s" "$s" || :`;
      return startIn(await ask('look at process', pid, body));
    },
    async signal(pid, signal) {
      // Passes the signal by name: the number of SIGUSR1 differs between systems.
      const name = quote(signal.slice('SIG'.length));
      // A process of another user is there, but not ours to touch. Without "--": not every shell knows it.
      const body = line`kill -${name} ${pid} 2>&1 || :`;
      const text = await ask('signal process', pid, body);
      return !/no such process/iu.test(text);
    },
  };
}
