// Keeps the program's conversations, its status and its marks in files under one home directory.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Mishap } from '../turn/script.ts';

/** The files of one program in one working directory. */
export class Home {
  readonly #root: string;
  readonly #cwd: string;

  constructor(root: string, cwd: string) {
    this.#root = root;
    this.#cwd = cwd;
    mkdirSync(this.#projectDir, { recursive: true });
    mkdirSync(join(root, 'sessions'), { recursive: true });
  }

  /** Path of a session's transcript. */
  transcriptPath(session: string): string {
    return join(this.#projectDir, `${session}.jsonl`);
  }

  hasTranscript(session: string): boolean {
    return existsSync(this.transcriptPath(session));
  }

  /** The session of this directory that was written to last, if there is one. */
  latestSession(): string | undefined {
    const names = readdirSync(this.#projectDir).filter((name) => name.endsWith('.jsonl'));
    const aged = names.map((name) => ({ name, at: statSync(join(this.#projectDir, name)).mtimeMs }));
    return aged.toSorted((a, b) => b.at - a.at)[0]?.name.replace(/\.jsonl$/, '');
  }

  /** Replaces this process's status file in one step, so that a reader never sees half of it. */
  writeStatus(pid: number, status: Readonly<Record<string, unknown>>): void {
    const path = this.#statusPath(pid);
    writeFileSync(`${path}.new`, JSON.stringify(status));
    renameSync(`${path}.new`, path);
  }

  /** Removes this process's status file; a killed process leaves its file behind. */
  removeStatus(pid: number): void {
    rmSync(this.#statusPath(pid), { force: true });
  }

  /** @returns true the first time this line is met in this directory, across all lives of the program. */
  markOnce(line: string): boolean {
    const directory = join(this.#root, 'once');
    mkdirSync(directory, { recursive: true });
    const name = createHash('sha256').update(`${this.#cwd}\0${line}`).digest('hex');
    try {
      closeSync(openSync(join(directory, name), 'wx'));
      return true;
    } catch {
      return false;
    }
  }

  /** Plans so many mishaps of this kind in this directory, over all lives of the program. */
  plan(mishap: Mishap, times: number): void {
    mkdirSync(join(this.#root, 'mishaps'), { recursive: true });
    writeFileSync(this.#mishapPath(mishap), String(times));
  }

  /** @returns whether one was requested; it is used up. */
  spend(mishap: Mishap): boolean {
    const path = this.#mishapPath(mishap);
    const left = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    if (left > 0) writeFileSync(path, String(left - 1));
    return left > 0;
  }

  #mishapPath(mishap: Mishap): string {
    return join(this.#root, 'mishaps', createHash('sha256').update(`${this.#cwd}\0${mishap}`).digest('hex'));
  }

  get #projectDir(): string {
    return join(this.#root, 'projects', this.#cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  }

  #statusPath(pid: number): string {
    return join(this.#root, 'sessions', `${pid}.json`);
  }
}

/** The text of a file that a test may put there at any time, and takes away its content: each script is run once. */
export function takeControlScript(path: string | undefined): string {
  if (path === undefined || !existsSync(path)) return '';
  const text = readFileSync(path, 'utf8');
  if (text !== '') writeFileSync(path, '');
  return text;
}
