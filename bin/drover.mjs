// Starts drover with a cache of what V8 compiled and what Node stripped of types: without it, `drover status` takes twice
// as long (`npm run bench -- status`). The cache is the user's own, because whoever can write it can run code as them.
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';

// bin/drover sets it for "up" and "server agent". Where it is another value it is the user's own, who means all programs.
if (process.env.GLIBC_TUNABLES?.startsWith('glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=65536:'))
  delete process.env.GLIBC_TUNABLES;

const base = process.env.XDG_CACHE_HOME || path.join(process.env.HOME || os.homedir(), '.cache');
// A directory that cannot be written is no reason to stop: it returns a status and throws nothing.
if (path.isAbsolute(base)) enableCompileCache(path.join(base, 'drover', 'compiled'));

await import('../apps/cli/src/main.ts');
