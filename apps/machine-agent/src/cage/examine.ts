/** Examines whether this machine can put a program into a cage. The doctor asks, and Drover before each start. */
import type { Host } from '@drover/host';

/** Milliseconds for an empty cage. */
const PROBE_MS = 10_000;

/** Settings of the kernel that keep a user from making namespaces, each with the value that permits them, and the systems that have it. */
const SWITCHES = [
  { path: '/proc/sys/kernel/unprivileged_userns_clone', name: 'kernel.unprivileged_userns_clone', off: /^0$/, on: '1' },
  {
    path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    name: 'kernel.apparmor_restrict_unprivileged_userns',
    off: /^1$/,
    on: '0',
  },
  { path: '/proc/sys/user/max_user_namespaces', name: 'user.max_user_namespaces', off: /^0$/, on: '15000' },
] as const;

/** `ok`, or a sentence without its full stop: the missing part and who can put it right. */
type CageAbility =
  | { readonly kind: 'ok'; readonly version: string }
  | { readonly kind: 'missing'; readonly says: string };

/** Starts an empty cage, because no setting alone tells: a container may forbid what its kernel allows. */
export async function examineCage(host: Host): Promise<CageAbility> {
  const version = await host.run('bwrap', ['--version'], { timeoutMs: PROBE_MS }).catch(() => undefined);
  if (version === undefined || version.status !== 0)
    return {
      kind: 'missing',
      says: 'bubblewrap is missing (the program "bwrap", Linux only): on Debian "sudo apt-get install bubblewrap", on Fedora "sudo dnf install bubblewrap"',
    };
  const probe = [
    '--unshare-user',
    '--unshare-pid',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--',
    'true',
  ];
  const tried = await host.run('bwrap', probe, { timeoutMs: PROBE_MS }).catch(() => undefined);
  if (tried?.status === 0) return { kind: 'ok', version: version.stdout.trim() };
  const why = (tried?.stderr ?? '').trim().split('\n')[0] || 'it did not end';
  return { kind: 'missing', says: `bubblewrap cannot make a cage here (${why}): ${await advice(host)}` };
}

async function advice(host: Host): Promise<string> {
  const found = await Promise.all(
    SWITCHES.map(async ({ path, name, off, on }) => {
      const value = Buffer.from((await host.readFile(path).catch(() => undefined)) ?? [])
        .toString('utf8')
        .trim();
      return off.test(value) ? [`"sudo sysctl ${name}=${on}"`] : [];
    }),
  );
  const switches = found.flat();
  if (switches.length > 0) return `user namespaces are off; ${switches.join(' and ')} lets users have them`;
  return 'user namespaces are off, perhaps by the container that this runs in: look at the sysctls user.max_user_namespaces and kernel.unprivileged_userns_clone';
}
