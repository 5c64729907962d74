// `npm run agents:texts`: writes the list of texts about limits and errors that each pinned version of a program holds, each with its class.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AGENT_NAMES, cacheDirectory, errorTextsIn, installed, RELEASES } from '@drover/real-agents';
import type { AgentName } from '@drover/real-agents';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { errorClassOf } from './error-class.ts';

const LIST = path.join(import.meta.dirname, 'error-texts.json');
/** Files that hold code: programs of their own and bundles. A smaller file is a launcher, or a library of one purpose. */
const CODE = /^(?:\.exe|\.[cm]?js|)$/u;
const CODE_BYTES_MIN = 64 * 1024;
/** Bytes that are read at once, and that two readings share, so that no sentence is torn. */
const PART_BYTES = 64 * 1024 ** 2;
const SHARED_BYTES = 1024;

async function main(): Promise<void> {
  const cacheDir = cacheDirectory({
    xdgCacheHome: process.env['XDG_CACHE_HOME'],
    home: homedir(),
    isRoot: process.getuid?.() === 0,
  });
  const list: Record<string, object> = {};
  for (const agent of AGENT_NAMES) list[agent] = await entryOf(agent, cacheDir);
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
}

async function entryOf(agent: AgentName, cacheDir: string): Promise<object> {
  const release = RELEASES[agent];
  const program = (await installed(release, { agent, cacheDir })).at(-1) ?? '';
  const texts = new Set<string>();
  for (const file of codeBelow(program.slice(0, program.indexOf('/node_modules/')))) {
    for (const text of await textsOf(file)) texts.add(text);
  }
  const profile = BUILT_IN_PROFILES.get(agent);
  const classes = [...texts].toSorted().map((text) => [text, profile && errorClassOf(profile, text)]);
  return { version: release.version, texts: Object.fromEntries(classes) };
}

function codeBelow(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && CODE.test(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size >= CODE_BYTES_MIN);
}

async function textsOf(file: string): Promise<readonly string[]> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const found: string[] = [];
  for (let at = 0; at < size; at += PART_BYTES) {
    const part = Buffer.alloc(Math.min(PART_BYTES + SHARED_BYTES, size - at));
    await handle.read(part, 0, part.length, at);
    found.push(...errorTextsIn(part.toString('utf8')));
  }
  return found;
}

await main();
