// `npm run agents:texts [-- AGENT...]`: writes the lists of texts about limits and errors, and of dialogs, that each pinned version of a program holds, each with its class.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import {
  AGENT_NAMES,
  agentNamed,
  cacheDirectory,
  dialogTitlesIn,
  errorTextsIn,
  installed,
  RELEASES,
} from '@drover/real-agents';
import type { AgentName } from '@drover/real-agents';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { z } from 'zod';
import { dialogClassOf, errorClassOf } from './error-class.ts';

const LISTS = {
  errors: path.join(import.meta.dirname, 'error-texts.json'),
  dialogs: path.join(import.meta.dirname, 'dialog-texts.json'),
};
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
  const named = process.argv.slice(2).map(agentNamed);
  const [errors, dialogs] = [listIn(LISTS.errors), listIn(LISTS.dialogs)];
  for (const agent of named.length === 0 ? AGENT_NAMES : named) {
    const { version } = RELEASES[agent];
    const profile = BUILT_IN_PROFILES.get(agent);
    const found = await textsOf(agent, cacheDir);
    const classes = found.errors.map((text) => [text, profile && errorClassOf(profile, text)]);
    const titles = found.dialogs.map((title) => [title, profile && dialogClassOf(profile, title)]);
    errors[agent] = { version, texts: Object.fromEntries(classes) };
    dialogs[agent] = { version, titles: Object.fromEntries(titles) };
  }
  writeFileSync(LISTS.errors, `${JSON.stringify(errors, null, 2)}\n`);
  writeFileSync(LISTS.dialogs, `${JSON.stringify(dialogs, null, 2)}\n`);
}

function listIn(file: string): Record<string, object> {
  return z.record(z.string(), z.looseObject({})).parse(JSON.parse(readFileSync(file, 'utf8')));
}

interface Texts {
  readonly errors: readonly string[];
  readonly dialogs: readonly string[];
}

async function textsOf(agent: AgentName, cacheDir: string): Promise<Texts> {
  const program = (await installed(RELEASES[agent], { agent, cacheDir })).at(-1) ?? '';
  const [errors, dialogs] = [new Set<string>(), new Set<string>()];
  for (const file of codeBelow(program.slice(0, program.indexOf('/node_modules/')))) {
    await using handle = await open(file);
    const { size } = await handle.stat();
    for (let at = 0; at < size; at += PART_BYTES) {
      const part = Buffer.alloc(Math.min(PART_BYTES + SHARED_BYTES, size - at));
      await handle.read(part, 0, part.length, at);
      const source = part.toString('utf8');
      for (const text of errorTextsIn(source)) errors.add(text);
      for (const title of dialogTitlesIn(source)) dialogs.add(title);
    }
  }
  return { errors: [...errors].toSorted(), dialogs: [...dialogs].toSorted() };
}

function codeBelow(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && CODE.test(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size >= CODE_BYTES_MIN);
}

await main();
