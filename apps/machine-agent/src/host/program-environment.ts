/** Environment of all programs that Drover starts, above all in panes: made from the person's login shell, not taken from the starter. */
import { isOwn, isWithheld } from '@drover/core';
import { askLoginShell } from '@drover/host';

type Variables = Readonly<Record<string, string>>;

/**
 * Variables from the place where Drover was started, because no startup file sets them: identity and location of the person, language, time
 * zone and terminal; the session's directories, sockets of keys and displays; and proxies with the certificates that belong to them.
 */
const ALLOWED =
  /^(?:HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|LOCALE_ARCHIVE|TZ|TERM|COLORTERM|TMPDIR|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|SSH_AGENT_PID|KRB5CCNAME|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|WSL_[A-Z_]+|WSLENV|(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|NIX_SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CA(?:INFO|PATH)|AWS_CA_BUNDLE|PIP_CERT|CARGO_HTTP_CAINFO)$/u;

/** Variables that somebody may miss: accounts, keys, virtual environments, and settings that change git, Node, Python or another agent. */
const OF_INTEREST =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS|BASE_URL)$|^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|AWS|AZURE|CLAUDE|CODEX|GIT|GH|CONDA|PYTHON)_|^(?:NODE_OPTIONS|NODE_PATH|VIRTUAL_ENV|CONDA|NVM_BIN|IN_NIX_SHELL|JAVA_HOME|GOPATH)/u;

/** Directories of a PATH that belong to an environment which is switched on for one terminal. */
const OF_ONE_TERMINAL = ['VIRTUAL_ENV', 'CONDA_PREFIX'];

/** PATH that `login` gives a shell if nobody has set one. */
const BARE_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** Environment, and the variables left out of it. */
export interface ProgramEnvironment {
  readonly variables: Variables;
  /** Names of variables that programs do not get and that somebody may miss, in order. */
  readonly dropped: readonly string[];
  /** Reason why the login shell told nothing, in words that follow "the login shell"; null if it answered. */
  readonly silent: string | null;
}

/** Sources of the environment. */
export interface EnvironmentSources {
  /** Variables of this process. */
  readonly starter: Variables;
  /** Shell of the person, if `SHELL` is not set. */
  readonly shell: string | null;
  readonly home: string;
  /** Names of further variables of the starter that programs get unchanged; `*` stands for any letters. */
  readonly inherit: readonly string[];
  /** Word of letters, digits and `-` that no startup file prints. */
  readonly mark: string;
  /** Default: 10 s. */
  readonly timeoutMs?: number;
}

/**
 * Asks the login shell, once. The shell's values win over the starter's; `inherit` wins over the shell's. The directories of the starter's
 * PATH come last: no name changes its meaning, and panes find every program that was found where Drover was started.
 */
export async function makeProgramEnvironment(sources: EnvironmentSources): Promise<ProgramEnvironment> {
  const { starter, home, inherit, mark, timeoutMs } = sources;
  const named = matcher(inherit);
  const inherited = pick(starter, (name) => named(name) && !isWithheld(name));
  const allowed = { ...pick(starter, (name) => ALLOWED.test(name)), HOME: home };
  const shell = starter['SHELL'] ?? sources.shell ?? '/bin/sh';
  const answer = await askLoginShell({
    shell,
    env: { ...allowed, PATH: BARE_PATH },
    home,
    mark,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const told = answer.kind === 'told' ? answer.variables : {};
  const base = { ...allowed, ...pick(told, (name) => name !== 'TERM' && name !== 'SHELL') };
  const whole = { ...base, PATH: joined(told['PATH'], pathOf(starter)), ...inherited };
  const variables = pick(whole, (name) => !isWithheld(name));
  const dropped = Object.keys({ ...starter, ...told }).filter(
    (name) => !(name in variables) && !isOwn(name) && (isWithheld(name) || OF_INTEREST.test(name)),
  );
  return { variables, dropped: dropped.toSorted(), silent: answer.kind === 'silent' ? answer.why : null };
}

/** Variables of this process without Drover's own and without variables of one place: for programs that answer the process itself, none in a pane. */
export function withoutWithheld(env: Readonly<Record<string, string | undefined>>): Variables {
  return pick(env, (name) => !isWithheld(name));
}

function pick(
  variables: Readonly<Record<string, string | undefined>>,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  const entries = Object.entries(variables);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0])),
  );
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  return (name) => patterns.some((pattern) => isLike(name, pattern.split('*')));
}

/** Tells whether a name has these parts in order, with anything between two of them. */
function isLike(name: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  let from = name.startsWith(first) ? first.length : -1;
  for (const part of others) {
    if (from < 0) return false;
    const at = name.indexOf(part, from);
    from = at < 0 ? -1 : at + part.length;
  }
  return from >= 0 && name.length - last.length >= from && name.endsWith(last);
}

function pathOf(starter: Variables): readonly string[] {
  const foreign = OF_ONE_TERMINAL.flatMap((name) => (starter[name] === undefined ? [] : [`${starter[name]}/bin`]));
  return places(starter['PATH']).filter((place) => place.startsWith('/') && !foreign.includes(place));
}

function joined(first: string | undefined, last: readonly string[]): string {
  return [...new Set([...places(first), ...last])].join(':') || BARE_PATH;
}

function places(path: string | undefined): readonly string[] {
  return (path ?? '').split(':').filter((place) => place !== '');
}
