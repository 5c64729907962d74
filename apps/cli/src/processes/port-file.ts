/**
 * The port of a root that took another one than the default, because that was in use. The next `drover up` takes it again: machines and
 * scripts know the root by it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'port';

/** A port of the configuration. `isSet`: a person has chosen it, so no other one is taken and none is remembered. */
interface ConfiguredPort {
  readonly port: number;
  readonly isSet: boolean;
}

/** Ports to try in turn: the remembered one, the default, and any free one; of a chosen one that alone. */
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

/** Remembers the port that was taken in the place of a default. */
export async function rememberPort(
  dataDir: string,
  { taken, isSet }: { readonly taken: number } & Pick<ConfiguredPort, 'isSet'>,
): Promise<void> {
  if (!isSet) await writeFile(path.join(dataDir, FILE), `${taken}\n`, { mode: 0o600 });
}
