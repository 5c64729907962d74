/** Reads a profile document that a person wrote, as TOML or JSON. */
import { readFile } from 'node:fs/promises';
import { messageOf } from '@drover/base';
import { parseDocument } from '@drover/config';
import { loadProfile } from '@drover/screen';
import type { Profile } from '@drover/screen';

/** A profile with the document that it was read from, or the problems of its file, each with its field. */
export type ReadProfile =
  | { readonly kind: 'read'; readonly profile: Profile; readonly document: unknown }
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads and checks one file. Never throws. */
export async function readProfileFile(file: string): Promise<ReadProfile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return {
      kind: 'missing',
      problem: `Cannot read ${file}: ${messageOf(error)}`,
    };
  }
  const parsed = parseDocument(text, file);
  if (parsed.kind === 'invalid') {
    const at = parsed.line === undefined ? file : `${file}, line ${parsed.line},`;
    return { kind: 'invalid', problem: `${at} ${parsed.message}` };
  }
  const loaded = loadProfile(parsed.value);
  if (loaded.kind === 'ok') return { kind: 'read', profile: loaded.profile, document: parsed.value };
  const problems = loaded.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return { kind: 'invalid', problem: `${file} is not a valid profile: ${problems.join('; ')}` };
}
