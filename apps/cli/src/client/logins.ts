/** The tokens of this user, by coordinator, and the identity of the coordinator at each address: one private file that `drover auth login` writes. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateDirectory, userConfigDir } from '@drover/config/surroundings';
import type { Environment } from '@drover/config/surroundings';
import { CommandError } from '../exit-codes.ts';

const FILE = 'logins.json';

/** Normalizes the address under which tokens are kept. @throws {CommandError} if it is no address of a coordinator. */
export function loginUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '')
    throw new CommandError(
      'usage',
      `"${given}" is not the address of a coordinator: give an address such as https://drover.example.com`,
    );
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

/** @returns undefined if no login was stored. @throws {CommandError} for an unreadable file. */
export async function storedToken(environment: Environment, url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  return (await read(environment))[loginUrl(url)]?.token;
}

/** Stores the token for this address and replaces the previous one. */
export async function storeToken(environment: Environment, url: string, token: string): Promise<void> {
  await put(environment, url, { token });
}

/** Returns the coordinator that answered at this address first; undefined for a new address. */
export async function pinnedCoordinator(environment: Environment, url: string): Promise<string | undefined> {
  return (await read(environment))[loginUrl(url)]?.coordinator;
}

/** Pins the coordinator: from now on no other is accepted at this address. */
export async function pinCoordinator(environment: Environment, url: string, coordinator: string): Promise<void> {
  await put(environment, loginUrl(url), { coordinator });
}

/** Forgets the token, and the coordinator that answered there. @returns false if neither was known. */
export async function forgetToken(environment: Environment, url: string): Promise<boolean> {
  const { [url]: login, ...others } = await read(environment);
  if (login === undefined) return false;
  await write(environment, others);
  return true;
}

/** Facts about one address. */
interface Login {
  readonly token?: string;
  readonly coordinator?: string;
}

type Logins = Readonly<Record<string, Login>>;

/** Changes by this process, in sequence: a command that asks several coordinators at once learns several identities at once. */
let changing: Promise<void> = Promise.resolve();

async function put(environment: Environment, url: string, news: Login): Promise<void> {
  const change = async (): Promise<void> => {
    const logins = await read(environment);
    await write(environment, { ...logins, [url]: { ...logins[url], ...news } });
  };
  changing = changing.then(change, change);
  await changing;
}

async function read(environment: Environment): Promise<Logins> {
  const file = fileOf(environment);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw new CommandError('environment', `Cannot read ${file}: ${error.message}`);
  });
  const parsed = parse(text);
  if (parsed === null)
    throw new CommandError('environment', `${file} is not a file of "drover auth login": remove it, and log in again`);
  return parsed;
}

function parse(text: string): Logins | null {
  try {
    const value: unknown = JSON.parse(text);
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isTable && Object.values(value).every(isLogin) ? (value as Logins) : null;
  } catch {
    return null;
  }
}

function isLogin(value: unknown): value is Login {
  if (typeof value !== 'object' || value === null) return false;
  const { token, coordinator } = value as Partial<Record<keyof Login, unknown>>;
  return [token, coordinator].every((one) => one === undefined || typeof one === 'string');
}

/** Writes the file whole or not at all. */
async function write(environment: Environment, logins: Logins): Promise<void> {
  const file = fileOf(environment);
  await makePrivateDirectory(path.dirname(file), { uid: environment.uid });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, file);
}

function fileOf(environment: Environment): string {
  return path.join(userConfigDir(environment, process.platform), FILE);
}
