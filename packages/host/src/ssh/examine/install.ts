/** Names the command by which a machine's own package manager installs a program. */
/** Programs of a machine without which it does not serve. */
export type NeededProgram = 'tmux' | 'git';

export type PackageManager = keyof typeof INSTALLERS;

/** Rights of the user who asks. */
export interface Administration {
  readonly uid: number;
  readonly hasSudo: boolean;
}

/** Commands that install, by the program that does it, and whether that needs an administrator. */
const INSTALLERS = {
  'apt-get': { install: 'apt-get install', byAdministrator: true },
  dnf: { install: 'dnf install', byAdministrator: true },
  yum: { install: 'yum install', byAdministrator: true },
  zypper: { install: 'zypper install', byAdministrator: true },
  pacman: { install: 'pacman -S', byAdministrator: true },
  apk: { install: 'apk add', byAdministrator: true },
  'xbps-install': { install: 'xbps-install -S', byAdministrator: true },
  emerge: { install: 'emerge', byAdministrator: true },
  pkg: { install: 'pkg install', byAdministrator: true },
  port: { install: 'port install', byAdministrator: true },
  brew: { install: 'brew install', byAdministrator: false },
  'nix-env': { install: 'nix-env -i', byAdministrator: false },
} as const;

/** Package managers in the order in which they are looked for: systems may have a foreign one beside their own. */
export const PACKAGE_MANAGERS = Object.keys(INSTALLERS) as readonly PackageManager[];

/** Gentoo and others put programs into groups. */
const PACKAGE_NAMES: Partial<Record<PackageManager, Readonly<Record<NeededProgram, string>>>> = {
  emerge: { tmux: 'app-misc/tmux', git: 'dev-vcs/git' },
};

/** The command with which the machine's own package manager installs a program. */
export function installCommand(
  program: NeededProgram,
  { manager, uid, hasSudo }: Administration & { readonly manager: PackageManager | undefined },
): string | null {
  if (manager === undefined) return null;
  const { install, byAdministrator } = INSTALLERS[manager];
  const name = PACKAGE_NAMES[manager]?.[program] ?? program;
  const command = `${install} ${name}`;
  return byAdministrator ? asAdministrator(command, { uid, hasSudo }) : command;
}

/** Returns the command as a user of this kind has it run by an administrator. */
export function asAdministrator(command: string, { uid, hasSudo }: Administration): string {
  if (uid === 0) return command;
  return hasSudo ? `sudo ${command}` : `su -c "${command}"`;
}
