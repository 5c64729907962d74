// Keeps a program from the network, and from the rights of root.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Words that are put before a command, and what they achieve, in words for people. */
export type Isolation = {
  readonly prefix: readonly string[];
  readonly network: 'loopback only' | 'not cut off';
  /** The user under which everything runs; null when it is the present one. */
  readonly user: { readonly name: string; readonly uid: number; readonly gid: number } | null;
};

/**
 * A network namespace with nothing but loopback, a process namespace that takes all its processes with it, and a normal
 * user: as root by `unshare` and `setpriv`, else by a user namespace where the system allows one.
 *
 * @param options.logsIn Whether the user logs in to an sshd there.
 */
export async function isolate(isRoot: boolean, { logsIn = false }: { logsIn?: boolean } = {}): Promise<Isolation> {
  const user = isRoot ? await stranger() : null;
  const drop = user === null ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const rights = isRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const namespaces = ['unshare', ...rights, '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const lends = logsIn && user !== null ? `${LENDS_SHELL} && ` : '';
  // The new namespace's own loopback is down at first. The shell stays as the parent of processes that lost their own.
  const prefix = [...namespaces, 'sh', '-c', `${lends}ip link set lo up && "$@"`, 'sh', ...drop];
  if (await works(prefix)) return { prefix, network: 'loopback only', user };
  return { prefix: drop, network: 'not cut off', user };
}

/**
 * Script that gives the user for those who own nothing a shell and an account that is not locked, inside the namespace of mounts alone: without
 * these, sshd lets nobody in. No password is right.
 */
const LENDS_SHELL = [
  'p=$(mktemp) s=$(mktemp)',
  'sed "s,^\\(nobody:.*\\):[^:]*$,\\1:/bin/sh," /etc/passwd >"$p"',
  'echo "nobody:*:20000:0:99999:7:::" >"$s"',
  'chmod 644 "$p" "$s"',
  'mount --bind "$p" /etc/passwd',
  'mount --bind "$s" /etc/shadow',
  'rm "$p" "$s"',
].join(' && ');

/** Returns the system's user for those who own nothing, which has an entry because Postgres asks for one. */
async function stranger(): Promise<NonNullable<Isolation['user']>> {
  const name = 'nobody';
  const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
  return { name, uid, gid };
}

async function idOf(flag: string, name: string): Promise<number> {
  return Number((await run('id', [flag, name])).stdout);
}

async function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return run(program, [...args, 'true']).then(
    () => true,
    () => false,
  );
}
