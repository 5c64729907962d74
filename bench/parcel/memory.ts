// Measures how much memory a measurement takes at most: this process, and the gits that it starts.
import { readFileSync } from 'node:fs';

/**
 * Memory that was taken at most, in bytes: by how much this process grew, its heap and what lies outside of that, and all gits that it started
 * together.
 */
export interface Memory {
  readonly grown: number;
  readonly heap: number;
  readonly outside: number;
  readonly git: number;
}

/** @returns a function that ends the watch. */
export function watchMemory(): () => Memory {
  const start = process.memoryUsage();
  let [most, heap, outside, git] = [start.rss, start.heapTotal, start.external, 0];
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    most = Math.max(most, now.rss);
    heap = Math.max(heap, now.heapTotal);
    outside = Math.max(outside, now.external);
    git = Math.max(git, gitBytesBelow(process.pid));
  }, 50);
  return () => {
    clearInterval(timer);
    return { grown: most - start.rss, heap: heap - start.heapTotal, outside: outside - start.external, git };
  };
}

/** Resident bytes of the gits below a process, pages of packs that they look into among them. Linux alone tells; else 0. */
function gitBytesBelow(pid: number): number {
  const children = textAt(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + ownGitBytes(child) + gitBytesBelow(child), 0);
}

function ownGitBytes(pid: number): number {
  const status = textAt(`/proc/${pid}/status`);
  if (!/^Name:\tgit/mu.test(status)) return 0;
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024;
}

/** Reads a file; empty: the process is gone. */
function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
