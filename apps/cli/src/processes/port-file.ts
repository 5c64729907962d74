/**
 * The port of a root whose default port was in use. The next `drover up` takes the same port again: machines and
 * scripts know the root by it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'port';

/** A port of the configuration. `isSet`: a person has chosen it, so no other port is tried and none is remembered. */
interface ConfiguredPort {
  readonly port: number;
  readonly isSet: boolean;
}

/** Lists ports to try in turn: the remembered one, the default, and any free one; for a chosen port only that. */
export async function portsOf(
  dataDir: string,
  { port: byDefault, isSet }: ConfiguredPort,
): Promise<readonly [number, ...number[]]> {
  if (isSet) return [byDefault];
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => '');
  const port = Number(text.trim());
  const isPort = Number.isInteger(port) && port > 0 && port <= 65_535;
  return isPort && port !== byDefault ? [port, byDefault, 0] : [byDefault, 0];
}

/** Remembers the port that replaced a default. */
export async function rememberPort(
  dataDir: string,
  { taken, isSet }: { readonly taken: number } & Pick<ConfiguredPort, 'isSet'>,
): Promise<void> {
  if (!isSet) await writeFile(path.join(dataDir, FILE), `${taken}\n`, { mode: 0o600 });
}
