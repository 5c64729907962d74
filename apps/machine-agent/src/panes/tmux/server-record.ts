/**
 * Keeps the processes of this machine's tmux servers where no cleaner of temporary directories comes: a server whose socket file was removed
 * is found by its process id and start, with the agents that run in it.
 */
import type { Host } from '@drover/host';
import { z } from 'zod';

const RECORD = z.object({
  /** Start of the machine in which the process ids count; null if the system does not tell. */
  bootId: z.string().nullable(),
  /** Processes by the number of the server. */
  servers: z.record(z.string().regex(/^\d+$/u), z.object({ pid: z.int().positive(), started: z.string().nullable() })),
});

/** Process of a server. `started`: as the host tells it; null if it does not. */
export type ServerProcess = z.infer<typeof RECORD>['servers'][string];

/** Bytes of the file: a line for each of a few hundred servers. */
const BYTES_MAX = 64 * 1024;

type RecordHost = Pick<Host, 'readFile' | 'writeFile' | 'facts' | 'processes'>;

/** Remembers servers across starts of the machine agent. */
export class ServerRecord {
  readonly #host: RecordHost;
  readonly #path: string;
  #known: Promise<Map<number, ServerProcess>> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(host: RecordHost, path: string) {
    this.#host = host;
    this.#path = path;
  }

  /** Processes by the number of the server; an earlier start of the machine is left out. */
  servers(): Promise<Map<number, ServerProcess>> {
    this.#known ??= this.#read();
    return this.#known;
  }

  /** Keeps the process of a server before anything is started in it. @throws when the file cannot be written. */
  async keep(number: number, pid: number): Promise<void> {
    const servers = await this.servers();
    const started = (await this.#host.processes.startOf(pid)) ?? null;
    const known = servers.get(number);
    if (known?.pid === pid && known.started === started) return;
    servers.set(number, { pid, started });
    const { bootId } = await this.#host.facts();
    const write = async (): Promise<void> =>
      this.#host.writeFile(this.#path, `${JSON.stringify({ bootId, servers: Object.fromEntries(servers) })}\n`);
    this.#writing = this.#writing.then(write, write);
    await this.#writing;
  }

  async #read(): Promise<Map<number, ServerProcess>> {
    const bytes = await this.#host.readFile(this.#path, { bytesMax: BYTES_MAX });
    const record = RECORD.safeParse(parse(bytes === undefined ? '' : Buffer.from(bytes).toString()));
    if (!record.success || record.data.bootId !== (await this.#host.facts()).bootId) return new Map();
    return new Map(Object.entries(record.data.servers).map(([number, server]) => [Number(number), server]));
  }
}

/** Parses the file; a file that a full disk cut off counts as none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
