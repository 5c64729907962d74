/**
 * Arguments of bubblewrap, from facts alone: the view that a program in a cage has of this machine. Later mounts lie over earlier ones: first
 * all of the machine for reading, then hidden places, then shared ones.
 */

/** Place of the machine, by its real path, and its form in the cage. */
export type Mount =
  /** Unchanged, for reading or for writing; `from` is another place that is mounted there. */
  | { readonly kind: 'read' | 'write'; readonly at: string; readonly from?: string }
  /** An empty directory that goes with the cage. */
  | { readonly kind: 'empty'; readonly at: string }
  /** No more changes to an empty directory, once everything in it is in its place. */
  | { readonly kind: 'close'; readonly at: string };

/** Places of a worker on this machine; real paths that exist. */
export interface WorkerPlaces {
  /** Clone of the worker, with its `.git`. */
  readonly worktree: string;
  /** Root of the project, which holds the places of other workers. */
  readonly root: string;
  /** Directory in which the worker keeps content for Git LFS. */
  readonly lfs: string;
  /** Directory that holds the content of all workers of the project. */
  readonly content: string;
}

/** Places of the machine around a worker's project. */
export interface Surroundings {
  /** Home directory of the user. */
  readonly home: string;
  /** Directory that the program has in its place. */
  readonly ownHome: string;
  /** Directories of the system that are empty in the cage: of other users, of sockets, of temporary files. */
  readonly emptied: readonly string[];
  /** Directories that no worker may see: Drover's own, other projects, and the source of this one. */
  readonly hidden: readonly string[];
  /** Object directories that git needs from hidden repositories. */
  readonly borrowed: readonly string[];
  readonly shares: readonly Extract<Mount, { kind: 'read' | 'write' }>[];
}

/** Facts that determine a cage. */
export interface CageFacts extends WorkerPlaces, Surroundings {
  /** Files of Drover that the program needs, such as those of its hooks. */
  readonly files: readonly Extract<Mount, { kind: 'read' | 'write' }>[];
}

/** Variables that lead out of the cage, or to places that are not in it. */
export const UNSET: readonly string[] = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'TMPDIR',
];

/**
 * Hides the machine's processes, sockets of System V and host name; drops and blocks rights beyond the user's; ends the cage with the pane.
 * The network is the machine's: agents ask their model service.
 */
const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
] as const;

/** All of the machine for reading, with devices and processes of the cage's own. */
const MACHINE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'] as const;

/** Command words before a worker's program. */
export function cageArgs(facts: CageFacts): readonly string[] {
  return bubblewrap([...surroundings(facts), ...projectMounts(facts), ...facts.files], facts.worktree);
}

/** Facts that determine a cage for checks in a landing worktree. */
interface LandingFacts extends Surroundings {
  /** Root of the project, which is hidden. */
  readonly root: string;
  readonly landing: string;
  /** Bare repository that the landing worktree belongs to. */
  readonly depot: string;
}

/** Command words before a worker's checks in a landing worktree: git can read its depot but write nothing there. */
export function landingArgs(facts: LandingFacts): readonly string[] {
  const { root, landing, depot } = facts;
  const mounts: readonly Mount[] = [
    ...surroundings(facts),
    { kind: 'empty', at: root },
    { kind: 'close', at: root },
    { kind: 'read', at: depot },
    { kind: 'write', at: landing },
    { kind: 'read', at: `${landing}/.git` },
  ];
  return bubblewrap(mounts, landing);
}

/** Facts that determine a view for git. */
export type GitFacts = Omit<CageFacts, 'ownHome' | 'files'> & {
  /** Archive, if the clone fetches from it; null: it does not. */
  readonly archive: string | null;
};

/**
 * Command words before git, where Drover itself runs it on a worktree that a program in a cage can write to: links that the program leaves in
 * git's own directory must not make git write elsewhere, and a filter that a repository within the worktree names must find nothing to read.
 */
export function gitArgs(facts: GitFacts, cwd: string): readonly string[] {
  const { home, emptied, hidden, borrowed, shares, archive } = facts;
  const mounts: readonly Mount[] = [
    ...[...emptied, home].map((at): Mount => ({ kind: 'empty', at })),
    ...shares.filter(({ kind }) => kind === 'read'),
    ...hidden.map((at): Mount => ({ kind: 'empty', at })),
    ...borrowed.map((at): Mount => ({ kind: 'read', at })),
    ...(archive === null ? [] : [{ kind: 'read', at: archive } as const]),
    ...ownClone(facts),
  ];
  return bubblewrap(mounts, cwd);
}

/**
 * Clone of the worker, with a separate mount for `.git`, so that no link can take its place; the worker must not decide where git looks for
 * settings, programs and borrowed objects.
 */
function ownClone({ worktree, lfs, content }: WorkerPlaces): readonly Mount[] {
  const git = `${worktree}/.git`;
  return [
    { kind: 'write', at: worktree },
    { kind: 'write', at: git },
    // A mount, too: else the program could put another directory in its place, with a list of its own.
    { kind: 'write', at: `${git}/objects` },
    ...PROTECTED.map((name): Mount => ({ kind: 'read', at: `${git}/${name}` })),
    { kind: 'read', at: content },
    { kind: 'write', at: lfs },
  ];
}

/** Parts of a worker's `.git` that a program in a cage can only read. */
export const PROTECTED: readonly string[] = ['config', 'config.worktree', 'hooks', 'objects/info'];

/** Everything but the project. */
function surroundings({ home, ownHome, emptied, hidden, borrowed, shares }: Surroundings): readonly Mount[] {
  return [
    ...emptied.map((at): Mount => ({ kind: 'empty', at })),
    { kind: 'write', at: home, from: ownHome },
    ...shares.toSorted((one, other) => one.at.length - other.at.length),
    ...hidden.map((at): Mount => ({ kind: 'empty', at })),
    ...borrowed.map((at): Mount => ({ kind: 'read', at })),
  ];
}

/** Shows the worker its own place alone below the project's root. */
function projectMounts(facts: CageFacts): readonly Mount[] {
  const { root } = facts;
  return [{ kind: 'empty', at: root }, ...ownClone(facts), { kind: 'close', at: root }];
}

function bubblewrap(mounts: readonly Mount[], cwd: string): readonly string[] {
  return ['bwrap', ...NAMESPACES, ...MACHINE, ...mounts.flatMap(wordsOf), '--chdir', cwd, '--'];
}

function wordsOf(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.from ?? mount.at, mount.at];
    case 'write':
      return ['--bind', mount.from ?? mount.at, mount.at];
    case 'empty':
      return ['--tmpfs', mount.at];
    case 'close':
      return ['--remount-ro', mount.at];
    default:
      return mount satisfies never;
  }
}
