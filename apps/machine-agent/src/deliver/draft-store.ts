/** Where is a person's draft while Drover's text takes its place? On disk, until it is back in the box. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const saved = z.object({ incarnation: z.string(), text: z.string() });

/** The ending of drafts that still have to be typed back, and of those that a person must look for. */
const WAITING = '.json';
const KEPT = '.kept';

/** The drafts of one worker. */
export class DraftStore {
  readonly #directory: string;

  constructor(dataDir: string, workerId: string) {
    this.#directory = join(dataDir, 'drafts', workerId);
  }

  /** Saves a draft of one life of the pane. @returns where. @throws on a full or read-only disk: then nothing is cleared. */
  async save(id: string, { incarnation, text }: { incarnation: string; text: string }): Promise<string> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, `${id}${WAITING}`);
    await writeFile(path, JSON.stringify({ incarnation, text }), { mode: 0o600, flush: true });
    return path;
  }

  /** The drafts of a life that wait to be typed back, each once, with their files. */
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

  /** They stand in the box again. */
  async forget(paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  /** They are not typed again by themselves. @returns where they are. */
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
