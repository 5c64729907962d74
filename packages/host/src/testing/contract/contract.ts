/** The tests that every host passes, the local one and those reached over a network, subject by subject. */
import { afterAll, beforeAll } from 'vitest';

import { errorContract } from './errors.ts';
import { fileContract } from './files.ts';
import { machineContract } from './machine.ts';
import { type OpenHost, type Tried, WITHIN } from './open-host.ts';
import { programContract } from './programs.ts';
import { recordContract } from './records.ts';
import { streamContract } from './streams.ts';

/**
 * Declares the tests of one way to a machine; a file that tries several puts each into a `describe`.
 *
 * @param options.reachesSockets Whether Unix sockets of the machine can be connected to.
 */
export function hostContract(open: OpenHost, { reachesSockets = true } = {}): void {
  let host: Awaited<ReturnType<OpenHost>> | undefined;
  const places: string[] = [];
  beforeAll(async () => {
    host = await open();
  });
  afterAll(async () => {
    for (const place of places) await host?.removeTree(place);
    await host?.[Symbol.asyncDispose]?.();
  });
  const tried = async (): Promise<Tried> => {
    if (host === undefined) throw new Error('The host could not be opened');
    const made = await host.run('mktemp', ['-d'], WITHIN);
    const directory = (await host.realpath(made.stdout.trim())) ?? '';
    places.push(directory);
    return { host, directory };
  };
  programContract(tried);
  streamContract(tried);
  fileContract(tried);
  errorContract(tried);
  recordContract(tried);
  machineContract(tried, reachesSockets);
}
