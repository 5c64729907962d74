// Small disks of their own for the soak, which can be filled: a file with a file system in it, mounted. Only root can.
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Owner of a disk: all that the machine has, or the database. */
export type DiskName = 'machine' | 'database';

/** Bytes that a disk holds: a night of work with its history, and few enough to be filled. The file is sparse. */
const SIZE_BYTES: Readonly<Record<DiskName, number>> = { machine: 2 ** 31, database: 2 ** 32 };
/** The last bytes are taken in steps of this size. */
const LAST_STEP_BYTES = 4_096;
const QUIET: ExecFileSyncOptions = { stdio: 'pipe' };

/** A directory that may be a disk of its own. */
export class Disk {
  readonly directory: string;
  /** Tells whether the disk can be filled without filling everybody's. */
  readonly isOwn: boolean;
  readonly #filler: string;

  constructor(state: string, name: DiskName) {
    this.directory = join(state, name);
    this.#filler = join(this.directory, 'filler');
    mkdirSync(this.directory);
    this.isOwn = mount(join(state, `${name}.img`), this.directory, SIZE_BYTES[name]);
  }

  /** Fills the disk: from now on nothing more can be written. */
  fill(): void {
    if (!this.isOwn) throw new Error(`"${this.directory}" is not a disk of its own, so it must not be filled`);
    const { bavail, bsize } = statfsSync(this.directory);
    try {
      execFileSync('fallocate', ['-l', String(Math.max(LAST_STEP_BYTES, bavail * bsize)), this.#filler], QUIET);
    } catch {
      // The free bytes cannot all be had at once: the rest is taken in small steps.
    }
    const file = openSync(this.#filler, 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(LAST_STEP_BYTES));
    } catch {
      // The disk is full.
    } finally {
      closeSync(file);
    }
  }

  /** Frees the disk again. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Takes it out of the way. */
  close(): void {
    this.free();
    if (this.isOwn) execFileSync('umount', ['--lazy', this.directory], QUIET);
  }
}

/** @returns whether the mount worked. */
function mount(image: string, directory: string, bytes: number): boolean {
  try {
    closeSync(openSync(image, 'w'));
    truncateSync(image, bytes);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], QUIET); // -m 0: no reserve for root
    execFileSync('mount', ['-o', 'loop', image, directory], QUIET);
    return true;
  } catch {
    return false;
  }
}
