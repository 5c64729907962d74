/** Caddy with the Caddyfile of infra/compose, and certificates of its own authority. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcess, output } from '../../../../tools/fleet/processes.ts';
import { until } from '../../../../tools/fleet/wait.ts';

/** Tells whether Caddy is installed. */
export function hasCaddy(): boolean {
  return spawnSync('caddy', ['version']).status === 0;
}

/** A running proxy, until it is disposed. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The certificate of the authority that signs for the proxy: a client must be told to trust it. */
  readonly authority: string;
}

interface ProxyParts {
  readonly caddyfile: string;
  /** An empty place for its files. */
  readonly directory: string;
  readonly port: number;
  /** `HOST:PORT` of each replica. */
  readonly upstreams: readonly string[];
}

/** Serves `https://localhost:PORT`. */
export async function startCaddy({ caddyfile, directory, port, upstreams }: ProxyParts): Promise<Proxy> {
  await mkdir(directory);
  const file = path.join(directory, 'Caddyfile');
  // Fetches nothing, changes nothing of the system, and takes no port but this one.
  const here = [
    '{',
    'admin off',
    'auto_https disable_redirects',
    'skip_install_trust',
    'default_bind 127.0.0.1',
    `storage file_system ${directory}`,
    '}',
    '',
  ];
  await writeFile(file, here.join('\n') + (await readFile(caddyfile, 'utf8')));
  const child = spawn('caddy', ['run', '--config', file], {
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      DROVER_SITE: `localhost:${port}`,
      DROVER_UPSTREAMS: upstreams.join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = output(child);
  const authority = path.join(directory, 'pki/authorities/local/root.crt');
  await until('Caddy to serve', async () => {
    if (child.exitCode !== null) throw new Error(`caddy ended:\n${said()}`);
    const isThere = await stat(authority).then(
      () => true,
      () => false,
    );
    return isThere && said().includes('certificate obtained successfully') ? true : undefined;
  });
  return {
    url: `https://localhost:${port}`,
    authority,
    [Symbol.asyncDispose]: async () => void (await endProcess(child, 'SIGTERM')),
  };
}
