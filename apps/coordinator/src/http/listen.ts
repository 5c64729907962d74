/** Listens on the first of several ports that no other program uses. */
import type { Server } from 'node:net';

/** Error for a taken port, or for an address that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: 'port-in-use' | 'not-listening';

  constructor(code: 'port-in-use' | 'not-listening', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Takes the first free port. @throws {ListenError} about the last one, where each is in use. */
export async function listenOn(
  server: Server,
  { host, ports }: { readonly host: string; readonly ports: readonly number[] },
): Promise<void> {
  const [first = 0, ...others] = ports;
  try {
    await listening(server, { host, port: first });
  } catch (error) {
    const isTaken = error instanceof ListenError && error.code === 'port-in-use';
    if (!isTaken || others.length === 0) throw error;
    await listenOn(server, { host, ports: others });
  }
}

function listening(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const onListening = (): void => {
      server.off('error', onError);
      resolve();
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening);
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is in use: stop what listens there, or choose another with --port or "coordinator.port"`;
        reject(new ListenError('port-in-use', message, { cause: error }));
        return;
      }
      reject(new ListenError('not-listening', `Cannot listen on ${host}:${port}: ${error.message}`, { cause: error }));
    };
    server.once('listening', onListening);
    server.once('error', onError);
    server.listen(port, host);
  });
}
