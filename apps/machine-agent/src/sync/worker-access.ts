/**
 * How does `drover`, called in a worker's pane, come to the worker's own token? The machine agent asks the coordinator for it
 * and leaves it with the coordinator's address in a file of the worker: in no argument, no variable, no journal and no command.
 */
import type { Files } from '@drover/host';
import { z } from 'zod';
import type { Log } from '../ports.ts';
import type { CoordinatorApi } from './api.ts';

const access = z.object({ url: z.string(), token: z.string() });

/** A coordinator that this machine has said hello to. */
export interface Coordinator {
  readonly api: Pick<CoordinatorApi, 'url' | 'workerToken'>;
  readonly accessToken: string;
  /** Its identity: commands in a pane make sure that it is the one who listens at the address. */
  readonly coordinator: string;
}

/** What this needs of the machine. */
interface WorkerAccessOptions {
  readonly files: Files;
  /** The file of a worker; it exists from the first start of its program on. */
  readonly fileOf: (workerId: string) => string;
  readonly log: Log;
}

/** The tokens of this machine's workers, of which it keeps none itself. */
export class WorkerAccess {
  readonly #options: WorkerAccessOptions;
  #coordinator: Coordinator | undefined;

  constructor(options: WorkerAccessOptions) {
    this.#options = options;
  }

  /** From now on this coordinator is asked; workers whose file names another one, or none, are given a new token. */
  async connected(coordinator: Coordinator, workers: readonly { readonly workerId: string }[]): Promise<void> {
    this.#coordinator = coordinator;
    for (const { workerId } of workers) {
      const { files, fileOf } = this.#options;
      const before = await files.readFile(fileOf(workerId)).catch(() => undefined);
      if (before !== undefined && urlIn(Buffer.from(before).toString('utf8')) !== coordinator.api.url)
        await this.renew(workerId);
    }
  }

  /** Leaves a new token in the worker's file. Never rejects: without one only a look from the pane fails. */
  async renew(workerId: string): Promise<void> {
    const { files, fileOf, log } = this.#options;
    if (this.#coordinator === undefined) return;
    const { api, accessToken, coordinator } = this.#coordinator;
    const file = fileOf(workerId);
    try {
      const { token } = await api.workerToken({ workerId }, accessToken);
      // Not by a rename: a cage shows this very file, and would go on showing the old one.
      await files.writeFile(file, JSON.stringify({ url: api.url, token, coordinator }), { inPlace: true });
    } catch (error) {
      log('debug', `The worker ${workerId} has no token for its pane yet: ${String(error)}`);
    }
  }
}

function urlIn(text: string): string | undefined {
  try {
    const found = access.safeParse(JSON.parse(text));
    return found.success ? found.data.url : undefined;
  } catch {
    return undefined;
  }
}
