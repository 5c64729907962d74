/** The address, identity and token of the coordinator: `drover up` writes both beside its data, for its user only. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Content of the endpoint file that `drover up` writes. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
  /** The coordinator that listens there: after a crash another program may have the port. */
  readonly coordinator: string;
  readonly pid: number;
}

const FILE = 'endpoint.json';

/** Writes the file whole or not at all, readable by this user alone. */
export async function writeEndpoint(dataDir: string, endpoint: Endpoint): Promise<void> {
  const file = path.join(dataDir, FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(endpoint)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** @returns null if no `drover up` has left a readable file. */
export async function readEndpoint(dataDir: string): Promise<Endpoint | null> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return isEndpoint(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Removes the endpoint file if this process wrote it. */
export async function removeEndpoint(dataDir: string, pid: number): Promise<void> {
  const endpoint = await readEndpoint(dataDir);
  if (endpoint?.pid === pid) await rm(path.join(dataDir, FILE), { force: true });
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'url' in value &&
    'token' in value &&
    'coordinator' in value &&
    'pid' in value &&
    typeof value.url === 'string' &&
    typeof value.token === 'string' &&
    typeof value.coordinator === 'string' &&
    typeof value.pid === 'number'
  );
}
