/** Serves this machine as a host. */
import type { Host } from '../host.ts';
import { localFiles } from './files.ts';
import { localMachine } from './machine.ts';
import { openStream } from './open-stream.ts';
import { environment } from './start-program.ts';
import { runThroughStarter } from './starter/starter.ts';

/** Settings that the composition root knows and the host does not look up by itself. */
interface LocalHostOptions {
  /** The environment that programs inherit, usually a copy of `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The machine on which this process runs. */
export function createLocalHost({ env: own }: LocalHostOptions): Host {
  return {
    ...localFiles,
    ...localMachine(environment(own)),
    run: (program, args, options) =>
      runThroughStarter({ program, args, cwd: options.cwd, env: environment(own, options.env) }, options),
    spawnStream: (program, args, options = {}) =>
      openStream({ program, args, cwd: options.cwd, env: environment(own, options.env) }),
  };
}
