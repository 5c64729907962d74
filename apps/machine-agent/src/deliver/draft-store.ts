/** Keeps a person's draft on disk while Drover's text takes its place, until the draft is back in the box. */
// oxlint-disable-next-line no-restricted-imports -- drafts stay with the agent: the host's disk may be full
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const saved = z.object({ incarnation: z.string(), text: z.string() });

/** Endings of drafts that wait to be typed back, and of drafts that a person must look for. */
const WAITING = '.json';
const KEPT = '.kept';

/** Drafts of one worker. */
export class DraftStore {
  readonly #directory: string;

  constructor(dataDir: string, workerId: string) {
    this.#directory = join(dataDir, 'drafts', workerId);
  }

  /** Saves a draft of one life of the pane. @returns its path. @throws on a full or read-only disk: then nothing is cleared. */
  async save(id: string, { incarnation, text }: { incarnation: string; text: string }): Promise<string> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, `${id}${WAITING}`);
    await writeFile(path, JSON.stringify({ incarnation, text }), { mode: 0o600, flush: true });
    return path;
  }

  /** Drafts of a life that wait to be typed back, each once, with their files. */
  async waiting(
    incarnation: string,
  ): Promise<{ readonly texts: readonly string[]; readonly paths: readonly string[] }> {
    const names = await readdir(this.#directory).catch(() => []);
    const texts = new Set<string>();
    const paths: string[] = [];
    for (const name of names.filter((one) => one.endsWith(WAITING)).toSorted()) {
      const path = join(this.#directory, name);
      const draft = saved.safeParse(parse(await readFile(path, 'utf8').catch(() => '')));
      if (!draft.success || draft.data.incarnation !== incarnation) continue;
      texts.add(draft.data.text);
      paths.push(path);
    }
    return { texts: [...texts], paths };
  }

  /** Removes drafts that are in the box again. */
  async forget(paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  /** Keeps drafts for a person; Drover does not type them again. @returns their paths. */
  async keep(paths: readonly string[]): Promise<readonly string[]> {
    const kept = paths.map((path) => `${path.slice(0, -WAITING.length)}${KEPT}`);
    for (const [at, path] of paths.entries()) await rename(path, kept[at] ?? path);
    return kept;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
