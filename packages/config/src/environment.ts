// Reads the process's environment. No other file reads `process.env`.
import os from 'node:os';

/** The environment as values. Empty variables are left out: empty means unset. */
export type Environment = {
  /** `DROVER_ROOT`: the directory that holds `drover.toml`, instead of searching for it. */
  readonly root: string | undefined;
  /** `DROVER_DATA_DIR`: where the database, journals and keys of this root lie, instead of the XDG directory. */
  readonly dataDir: string | undefined;
  /** `DROVER_URL`: the coordinator to talk to. */
  readonly url: string | undefined;
  /** `DROVER_TOKEN`: the API token to show it. Secret. */
  readonly token: string | undefined;
  /** `DROVER_TICK_SECRET`: what a scheduler shows that has due work done. Secret. */
  readonly tickSecret: string | undefined;
  /** `DROVER_INSECURE`: `1` or `true` lets tokens travel over plain http to another computer. */
  readonly insecure: boolean;
  /** `NO_COLOR`: never colour what is printed (no-color.org). */
  readonly noColor: boolean;
  /** Home directory of the user. */
  readonly home: string;
  /** The user's login shell, as the system's list of users has it; null where it has none. */
  readonly shell: string | null;
  /** The system's directory for temporary files. */
  readonly temporary: string;
  readonly hostName: string;
  /** Numeric user id; undefined on Windows. */
  readonly uid: number | undefined;
  /** Every variable that is not empty, for child processes and for `DROVER_*` overrides. */
  readonly variables: Readonly<Record<string, string>>;
};

/** Variables that are no option of `drover.toml`, for the documentation. */
export const ENVIRONMENT_ONLY: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'DROVER_ROOT',
    description: 'Directory that holds `drover.toml`. Unset: the nearest one above the current directory.',
  },
  {
    name: 'DROVER_DATA_DIR',
    description: 'Directory of the database, journals and keys. Unset: `$XDG_DATA_HOME/drover/…`.',
  },
  {
    name: 'DROVER_URL',
    description:
      'Coordinator of commands; after commas, others to ask if it does not answer. Unset: the one that `drover up` started.',
  },
  {
    name: 'DROVER_TOKEN',
    description:
      'API token of commands. Unset: the one of `drover up`, or the one that `drover auth login` stored for `DROVER_URL`.',
  },
  { name: 'DROVER_TELEGRAM_TOKEN', description: 'Token of the Telegram bot that asks people (docs/chat.md).' },
  { name: 'DROVER_SLACK_APP_TOKEN', description: 'App token of the Slack app that asks people.' },
  { name: 'DROVER_SLACK_BOT_TOKEN', description: 'Its bot token.' },
  { name: 'DROVER_DISCORD_TOKEN', description: 'Token of the Discord bot that asks people.' },
  { name: 'DROVER_NTFY_TOPIC', description: 'Topic of ntfy where people are asked.' },
  { name: 'DROVER_NTFY_TOKEN', description: 'Access token of the ntfy server.' },
  {
    name: 'DROVER_TICK_SECRET',
    description:
      'For a coordinator that runs as functions: what the scheduler shows that calls `POST /internal/tick`, 32 to 200 of A-Z, a-z, 0-9, _ and -. Unset: the route is closed.',
  },
  {
    name: 'DROVER_INSECURE',
    description:
      'Set to `1`: send tokens over plain http to another computer, although others on the network can read them. Unset: Drover refuses that.',
  },
  {
    name: 'DROVER_PHASE',
    description:
      "What a worker's agent is doing, for `drover hook`: `build`, `test` or `quality`. Unset: the command line tells.",
  },
  { name: 'NO_COLOR', description: 'Set to anything: print no colors.' },
  { name: 'CLICOLOR', description: 'Set to `0`: print no colors.' },
  { name: 'CLICOLOR_FORCE', description: 'Set to anything but `0`: print colors into a pipe too.' },
];

/**
 * Reads the environment once; everything else takes the values.
 *
 * @param variables Another environment than the process's own, for tests.
 */
// oxlint-disable-next-line no-restricted-properties -- the one place that reads it
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && value !== '') set[name] = value;
  }
  return Object.freeze({
    root: set['DROVER_ROOT'],
    dataDir: set['DROVER_DATA_DIR'],
    url: set['DROVER_URL'],
    token: set['DROVER_TOKEN'],
    tickSecret: set['DROVER_TICK_SECRET'],
    insecure: set['DROVER_INSECURE'] === '1' || set['DROVER_INSECURE'] === 'true',
    noColor: set['NO_COLOR'] !== undefined,
    home: set['HOME'] ?? os.homedir(),
    shell: userShell(),
    temporary: set['TMPDIR'] ?? os.tmpdir(),
    hostName: os.hostname(),
    uid: process.getuid?.(),
    variables: Object.freeze(set),
  });
}

/** A container may run as a user whom no list names. */
function userShell(): string | null {
  try {
    return os.userInfo().shell;
  } catch {
    return null;
  }
}
