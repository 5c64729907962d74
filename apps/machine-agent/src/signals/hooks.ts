/**
 * Passes a coding agent's hooks to the machine agent. Each hook writes its payload to a file of its own and then adds the file's name to the
 * worker's news: no process of ours has to start or listen, and a hook that is lost loses nothing but speed.
 */
import { basename, join } from 'node:path';
import { shellWord } from '@drover/core';
import type { Files, Host } from '@drover/host';
import type { Profile } from '@drover/screen';
import { isAtLeast, parseVersion, type Version } from '../host/program-versions.ts';
import { OWED_FILE } from '@drover/protocol';
import { payloadsBeside, readPayload } from './payloads.ts';
import { begunFile, openResults, recordsFile, resultsOf } from './results.ts';
import { isRecord, linesAfter, parsedLine, saysTheSame, sizeOf } from './transcript.ts';

/** Bytes after which the news restart empty, at the next start of the agent program: some hundred thousand hooks. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Payloads of a worker that are kept once there are twice as many: a hook speaks for seconds, a prompt's for its delivery. */
const PAYLOADS_KEPT = 200;
/** Payloads without a line in the news that are kept: of hooks that run at this moment, and of killed ones. */
const UNNAMED_KEPT = 50;
/** Bytes at the end of the news in which the names of all payloads on the disk lie: ten times as many as there can be. */
const NAMES_BYTES = 64 * 1024;
/** Bytes after which the file of failures restarts empty: with fewer, its counter stays quick. */
const FAILURES_BYTES_MAX = 1024 * 1024;
/** Bytes of the settings of the program's user that are read. */
const OWN_SETTINGS_BYTES_MAX = 1024 * 1024;
/** Seconds that the program waits for a hook; writing a line takes a few milliseconds. */
const HOOK_SECONDS = 5;
/** Seconds for a hook that may refuse the end of a turn: it starts Drover while a run's task is in hand. */
const GATE_SECONDS = 20;
/** Hooks that may refuse the end of a turn, with the same answer. Only hooks that the profile names are installed. */
const GATE_HOOKS: readonly string[] = ['Stop', 'AfterAgent'];
/** Hooks that report a failed tool, and whose answer the agent reads. Only hooks that the profile names are installed. */
const FAILURE_HOOKS: readonly string[] = ['PostToolUseFailure'];

/** Manifest of the plugin that holds the hooks of a program which takes them so. */
const PLUGIN = { name: 'drover', version: '1.0.0', description: 'Tells Drover how the turns of this session go.' };

/** The files of one worker's hooks. */
interface HookFiles {
  /** Settings for the program's start; null when the profile has no hooks. */
  readonly settings: string | null;
  /** Directory of the plugin whose hooks these settings are; null: they are none. */
  readonly plugin: string | null;
  /** Names of payloads, a line each, in the order in which they were written. Each line is so short that no two tear each other. */
  readonly news: string;
  /** File shared by all workers that tells a machine without file events which worker has news: a line with its id. */
  readonly hints: string;
  /** Directory of the payloads. */
  readonly payloads: string;
  /** File in which `drover hook` records failed tools (docs/adr/0008-a-record-proves-a-delivery.md). */
  readonly failures: string;
  /** File for the JSON that the program gives to its status line; null: Drover has none there. */
  readonly status: string | null;
  /** Directory in which the agent of a run's task leaves its result. */
  readonly results: string;
  /** File with the coordinator's address and the worker's token, for `drover` in its session. */
  readonly access: string;
}

/** Paths of a worker's hook files, whether or not they exist. */
export function hookFiles(machineDir: string, workerId: string, profile: Profile): HookFiles {
  const directory = join(machineDir, 'hooks');
  const { settings, settingsVariable } = profile.launch;
  const takesHooks = (settings !== null || settingsVariable !== null) && hookNames(profile).length > 0;
  const plugin = takesHooks && profile.launch.plugin ? join(directory, `${workerId}.plugin`) : null;
  const own = plugin === null ? join(directory, `${workerId}.settings.json`) : join(plugin, 'hooks.json');
  return {
    settings: takesHooks ? own : null,
    plugin,
    news: join(directory, `${workerId}.news`),
    hints: join(directory, 'news'),
    payloads: payloadsBeside(join(directory, `${workerId}.news`)),
    failures: join(directory, `${workerId}.failures.jsonl`),
    status: profile.signals.quota?.kind === 'status-line' ? join(directory, `${workerId}.status.json`) : null,
    results: resultsOf(machineDir, workerId),
    access: accessFile(machineDir, workerId),
  };
}

/**
 * Settings file, or directory of a plugin, with which the program starts. Null too where the program would read it in place of an administrator's:
 * then it has no hooks. A file that this user cannot see, the program cannot read either.
 */
export async function settingsGiven(
  host: Pick<Host, 'environment' | 'stat'>,
  { settings: file, plugin }: Pick<HookFiles, 'settings' | 'plugin'>,
  { launch: { settingsVariable } }: Profile,
): Promise<string | null> {
  if (file === null || settingsVariable === null) return plugin ?? file;
  if ((await host.environment())[settingsVariable.name] !== undefined) return null;
  const found = await Promise.all(settingsVariable.replaces.map((path) => host.stat(path).catch(() => undefined)));
  return found.every((one) => one === undefined) ? file : null;
}

/** Path of a worker's access file, whether or not it exists. */
export function accessFile(machineDir: string, workerId: string): string {
  return join(machineDir, 'hooks', `${workerId}.access.json`);
}

/** Profile and program for which hooks are installed. */
interface HookInstallation {
  readonly profile: Profile;
  /** Version of the program; null when it is not known. */
  readonly version: Version | null;
  /** Agents that the program may have inside of it, or reach beside it. */
  readonly inner: 'off' | 'subagents' | 'all';
  /** Program and arguments of `drover hook`; null: failed tools are not answered. */
  readonly answer: readonly string[] | null;
  /** Home of the program. */
  readonly home: string;
}

/** Writes the settings file for the worker alone; never a user's. @throws on a full or read-only disk. */
export async function installHooks(
  disk: Files & Pick<Host, 'hintsByNews'>,
  files: HookFiles,
  { profile, version, inner, answer, home }: HookInstallation,
): Promise<void> {
  await disk.mkdir(files.payloads);
  await beginAnew(disk, files.failures, FAILURES_BYTES_MAX);
  await beginAnew(disk, files.access, FILE_BYTES_MAX); // filled when the coordinator has given a token
  await openResults(disk, files.results, answer);
  if (files.settings === null) return;
  await beginAnew(disk, files.news, FILE_BYTES_MAX);
  if (disk.hintsByNews === true) await beginAnew(disk, files.hints, FILE_BYTES_MAX);
  const isHinted = disk.hintsByNews === true;
  const noting = hook(notingCommand(files, { isHinted, gate: null }));
  const gate = answer === null ? noting : hook(notingCommand(files, { isHinted, gate: answer }), GATE_SECONDS);
  const hooks = hookNames(profile, version).map((name): [string, unknown] => [
    name,
    [GATE_HOOKS.includes(name) ? gate : noting],
  ]);
  // A failed answer must not be a complaint on the screen.
  const answering = answer === null ? null : hook(`${answer.map(shellWord).join(' ')} 2>/dev/null || true`);
  const failing = answering === null ? [] : failureHooks(profile, version).map((name) => [name, [answering]] as const);
  const closed = inner === 'all' ? {} : (profile.launch.inner[inner] ?? {});
  const settings = {
    ...withOwnCommands(closed, profile),
    ...(await statusLine(disk, files, { profile, home })),
    hooks: Object.fromEntries([...hooks, ...failing]),
  };
  if (files.plugin !== null) {
    await disk.mkdir(files.plugin);
    await disk.writeFile(join(files.plugin, 'plugin.json'), `${JSON.stringify(PLUGIN)}\n`, { inPlace: true });
  }
  await disk.writeFile(files.settings, `${JSON.stringify(settings, null, 2)}\n`, { inPlace: true });
}

/** Status line that keeps what the program tells it, and passes it on to the one of the program's user. */
async function statusLine(
  disk: Files,
  { status }: HookFiles,
  { profile: { signals }, home }: Pick<HookInstallation, 'profile' | 'home'>,
): Promise<object> {
  if (status === null || signals.quota?.kind !== 'status-line') return {};
  await disk.writeFile(status, '', { inPlace: true });
  // Many people keep their settings elsewhere, and link to them.
  const file = await disk.realpath(signals.quota.own.replaceAll('{home}', () => home)).catch(() => undefined);
  const range = { from: 0, bytesMax: OWN_SETTINGS_BYTES_MAX };
  const read = file === undefined ? undefined : await disk.readRange(file, range).catch(() => undefined);
  const settings = parsedLine(Buffer.from(read?.bytes ?? []).toString('utf8'));
  const own = isRecord(settings) && isRecord(settings['statusLine']) ? settings['statusLine'] : {};
  // A line that ends without reading what it is told would end `tee` before that has kept it.
  const kept = `(trap '' PIPE; tee ${shellWord(status)} 2>/dev/null)`;
  // A comment at the end of the user's own command must not take the bracket.
  const shown = typeof own['command'] === 'string' ? `(${own['command']}\n)` : 'cat >/dev/null';
  return { statusLine: { ...own, type: 'command', command: `${kept} | ${shown}` } };
}

/** Adds the commands of Drover's own that the agent may call unasked: the results and messages of a run's task. */
function withOwnCommands(settings: Readonly<Record<string, unknown>>, { launch }: Profile): object {
  const { allow } = launch.results;
  const known = settings['permissions'];
  const permissions = typeof known === 'object' && known !== null ? known : {};
  return allow.length === 0 ? settings : { ...settings, permissions: { ...permissions, allow } };
}

/**
 * Shell command that notes a hook in a file of its own: parallel hooks would tear each other's lines in one file, for a shell writes a long
 * line in pieces. A name is read only when its file is whole.
 *
 * With `gate`, the program and arguments of `drover hook`, the end of a turn is refused while a run's task has no valid result. A refused end is
 * not noted: the turn goes on.
 */
function notingCommand(
  { payloads, news, hints, results }: HookFiles,
  { isHinted, gate }: { readonly isHinted: boolean; readonly gate: readonly string[] | null },
): string {
  const made = `f=$(mktemp ${shellWord(`${payloads}/.XXXXXXXXXX`)}) && cat > "$f"`;
  const named = `n=\${f##*/.} && mv "$f" ${shellWord(payloads)}/"$n"`;
  const worker = basename(news).replace(/\.news$/u, '');
  const isOwed = `[ -e ${shellWord(join(results, OWED_FILE))} ]`;
  const refused = gate === null ? '' : `o=$(${[...gate, 'stop'].map(shellWord).join(' ')} < "$f") && [ -n "$o" ]`;
  const asked = gate === null ? '' : `if ${isOwed} && ${refused}; then rm -f "$f"; printf '%s\\n' "$o"; exit 0; fi && `;
  const hinted = isHinted ? ` && printf '%s\\n' ${shellWord(worker)} >> ${shellWord(hints)}` : '';
  // A full disk must not be a complaint on the screen.
  return `{ ${made} && ${asked}${named} && printf '%s\\n' "$n" >> ${shellWord(news)}${hinted}; } 2>/dev/null || true`;
}

function hook(command: string, timeout: number = HOOK_SECONDS): { readonly hooks: readonly object[] } {
  return { hooks: [{ type: 'command', command, timeout }] };
}

async function beginAnew(disk: Files, path: string, bytesMax: number): Promise<void> {
  const size = await sizeOf(disk, path);
  if (size !== null && size > bytesMax) await disk.truncate(path, 0);
  else await disk.appendFile(path, '');
}

/** Removes the files of {@link installHooks}. */
export async function removeHooks(
  disk: Files,
  { settings, plugin, news, payloads, failures, status, results, access }: HookFiles,
): Promise<void> {
  const beside = [begunFile(results), recordsFile(results)];
  for (const path of [settings, plugin, news, payloads, failures, status, results, ...beside, access])
    if (path !== null) await disk.removeTree(path);
}

/**
 * Removes the oldest payloads of a worker whose program has written many. The news determine the oldest: a machine's clock that was set back
 * would call the newest so. Some payloads without a name stay, because they are being written or their hook was killed.
 */
export async function prunePayloads(
  disk: Files,
  { news, payloads }: Pick<HookFiles, 'news' | 'payloads'>,
): Promise<void> {
  const names = ((await disk.readdir(payloads).catch(() => undefined)) ?? []).map(({ name }) => name);
  if (names.length <= 2 * PAYLOADS_KEPT) return;
  const named = (await disk.tailLines(news, { bytesMax: NAMES_BYTES }))?.lines ?? [];
  const [known, kept] = [new Set(named), new Set(named.slice(-PAYLOADS_KEPT))];
  const unnamed = await Promise.all(
    names
      .filter((name) => !known.has(name))
      .map(async (name) => ({
        name,
        at: (await disk.stat(join(payloads, name)).catch(() => undefined))?.modifiedAt ?? 0,
      })),
  );
  for (const { name } of unnamed.toSorted((one, other) => other.at - one.at).slice(0, UNNAMED_KEPT)) kept.add(name);
  for (const name of names) if (!kept.has(name)) await disk.removeTree(join(payloads, name));
}

/**
 * Finds a hook after an offset which says that the program took a prompt with these words.
 *
 * @param news The worker's news; the payloads lie beside them.
 * @returns the conversation that the hook names, by the program's own id; null where there is no such hook.
 */
export async function hookOfPrompt(
  disk: Files,
  news: string,
  { offset, profile, words }: { offset: number; profile: Profile; words: string },
): Promise<{ readonly conversation: string | null } | null> {
  for await (const name of linesAfter(disk, news, offset)) {
    const payload = payloadOf((await readPayload(disk, news, name))?.text ?? '');
    if (payload === undefined || profile.signals.hookMeaning[payload.name] !== 'turn-began') continue;
    if (payload.prompt !== undefined && saysTheSame(payload.prompt, words)) return payload;
  }
  return null;
}

/** Names with a meaning for the agent's state. */
function hookNames(profile: Profile, version: Version | null = null): readonly string[] {
  return knownNames(profile, version).filter((name) => profile.signals.hookMeaning[name] !== undefined);
}

function failureHooks(profile: Profile, version: Version | null): readonly string[] {
  return knownNames(profile, version).filter((name) => FAILURE_HOOKS.includes(name));
}

/** Names that the program knows: an unknown name would raise a dialog at its start. A program of unknown version gets only the oldest. */
function knownNames({ signals }: Profile, version: Version | null): readonly string[] {
  const known = signals.hooks.filter(({ since }, at) => {
    const least = parseVersion(since);
    return at === 0 || (version !== null && least !== null && isAtLeast(version, least));
  });
  return known.flatMap(({ names }) => names);
}

function payloadOf(
  line: string,
): { name: string; prompt: string | undefined; conversation: string | null } | undefined {
  try {
    const payload: unknown = JSON.parse(line);
    if (typeof payload !== 'object' || payload === null || !('hook_event_name' in payload)) return undefined;
    const prompt = 'prompt' in payload && typeof payload.prompt === 'string' ? payload.prompt : undefined;
    const session = 'session_id' in payload && typeof payload.session_id === 'string' ? payload.session_id : null;
    return { name: String(payload.hook_event_name), prompt, conversation: session };
  } catch {
    return undefined;
  }
}
