/**
 * Gives `drover`, called in a worker's pane, the worker's own token. The machine agent asks the coordinator for it and leaves it with the
 * coordinator's address in a file of the worker: in no argument, no variable, no journal and no command.
 */
import type { Log } from '@drover/base';
import type { Files } from '@drover/host';
import { z } from 'zod';
import type { CoordinatorApi } from './api.ts';

const access = z.object({ url: z.string(), token: z.string() });

/** Coordinator that this machine has said hello to. */
export interface Coordinator {
  readonly api: Pick<CoordinatorApi, 'url' | 'workerToken'>;
  readonly accessToken: string;
  /** Identity of the coordinator: commands in a pane verify that it listens at the address. */
  readonly coordinator: string;
}

interface WorkerAccessOptions {
  readonly files: Files;
  /** Finds the file of a worker, which exists from the first start of its program on. */
  readonly fileOf: (workerId: string) => string;
  readonly log: Log;
}

/** Tokens of this machine's workers, of which it keeps none itself. */
export class WorkerAccess {
  readonly #options: WorkerAccessOptions;
  #coordinator: Coordinator | undefined;

  constructor(options: WorkerAccessOptions) {
    this.#options = options;
  }

  /** Uses this coordinator from now on; workers whose file names another one, or none, get a new token. */
  async connected(coordinator: Coordinator, workers: readonly { readonly workerId: string }[]): Promise<void> {
    this.#coordinator = coordinator;
    for (const { workerId } of workers) {
      const { files, fileOf } = this.#options;
      const before = await files.readFile(fileOf(workerId)).catch(() => undefined);
      if (before !== undefined && urlIn(Buffer.from(before).toString('utf8')) !== coordinator.api.url)
        await this.renew(workerId);
    }
  }

  /** Writes a new token to the worker's file. Never rejects: without a token only a look from the pane fails. */
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
