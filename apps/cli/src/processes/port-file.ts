/**
 * The port of a root that took another one than the default, because that was in use. The next `drover up` takes it again: machines and
 * scripts know the root by it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'port';

/** Ports to try in turn: the remembered one, the default, and any free one. */
export async function portsOf(dataDir: string, byDefault: number): Promise<readonly [number, ...number[]]> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => '');
  const port = Number(text.trim());
  const isPort = Number.isInteger(port) && port > 0 && port <= 65_535;
  return isPort && port !== byDefault ? [port, byDefault, 0] : [byDefault, 0];
}

/** Remembers the port that was taken. */
export async function rememberPort(dataDir: string, port: number): Promise<void> {
  await writeFile(path.join(dataDir, FILE), `${port}\n`, { mode: 0o600 });
}
