/**
 * How do a coding agent's hooks reach the machine agent? Each appends its payload as one line to a file of the worker:
 * no process of ours has to start or listen, and a hook that is lost loses nothing but speed.
 */
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '@drover/screen';
import { isAtLeast, parseVersion, type Version } from '../host/program-versions.ts';
import { linesAfter, saysTheSame, sizeOf } from './transcript.ts';

/** Bytes after which the file of hooks starts anew, at the next start of the agent program. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Seconds that the program waits for a hook; writing a line takes a few milliseconds. */
const HOOK_SECONDS = 5;

/** The files of one worker's hooks. */
export interface HookFiles {
  /** Settings for the program's start; null when the profile has no hooks. */
  readonly settings: string | null;
  /** Where the payloads go. */
  readonly payloads: string;
}

/** Where a worker's hook files are, whether or not they exist. */
export function hookFiles(dataDir: string, workerId: string, profile: Profile): HookFiles {
  const directory = join(dataDir, 'hooks');
  const takesHooks = profile.launch.settings !== null && hookNames(profile).length > 0;
  return {
    settings: takesHooks ? join(directory, `${workerId}.settings.json`) : null,
    payloads: join(directory, `${workerId}.jsonl`),
  };
}

/**
 * Writes the settings file for the worker alone; never a user's.
 *
 * @param version The program's; null when it is not known. @throws on a full or read-only disk.
 */
export async function installHooks(files: HookFiles, profile: Profile, version: Version | null): Promise<void> {
  if (files.settings === null) return;
  await mkdir(join(files.payloads, '..'), { recursive: true, mode: 0o700 });
  const size = await sizeOf(files.payloads);
  const flag = size !== null && size > FILE_BYTES_MAX ? 'w' : 'a';
  await (await open(files.payloads, flag, 0o600)).close();
  const command = `printf '%s\\n' "$(cat)" >> ${quoted(files.payloads)}`;
  const hook = { hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }] };
  const hooks = Object.fromEntries(hookNames(profile, version).map((name) => [name, [hook]]));
  await writeFile(files.settings, `${JSON.stringify({ hooks }, null, 2)}\n`, { mode: 0o600 });
}

/** Removes what {@link installHooks} made. */
export async function removeHooks({ settings, payloads }: HookFiles): Promise<void> {
  for (const path of [settings, payloads]) if (path !== null) await rm(path, { force: true });
}

/** Whether a hook after an offset says that the program took a prompt with these words. */
export async function hookHolds(
  path: string,
  offset: number,
  { profile, words }: { profile: Profile; words: string },
): Promise<boolean> {
  for await (const line of linesAfter(path, offset)) {
    const payload = payloadOf(line);
    if (payload === undefined || profile.signals.hookMeaning[payload.name] !== 'turn-began') continue;
    if (payload.prompt !== undefined && saysTheSame(payload.prompt, words)) return true;
  }
  return false;
}

/**
 * Names with a meaning that the program knows: an unknown one would raise a dialog at its start. Of a program whose version
 * is not known, only the oldest are taken.
 */
function hookNames({ signals }: Profile, version: Version | null = null): readonly string[] {
  const known = signals.hooks.filter(({ since }, at) => {
    const least = parseVersion(since);
    return at === 0 || (version !== null && least !== null && isAtLeast(version, least));
  });
  return known.flatMap(({ names }) => names).filter((name) => signals.hookMeaning[name] !== undefined);
}

function payloadOf(line: string): { name: string; prompt: string | undefined } | undefined {
  try {
    const payload: unknown = JSON.parse(line);
    if (typeof payload !== 'object' || payload === null || !('hook_event_name' in payload)) return undefined;
    const prompt = 'prompt' in payload && typeof payload.prompt === 'string' ? payload.prompt : undefined;
    return { name: String(payload.hook_event_name), prompt };
  } catch {
    return undefined;
  }
}

/** A path as one word of `sh`. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
