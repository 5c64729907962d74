/** The files and arguments of infra/image, without a container. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { BUILD, REPOSITORY } from '../../../../tools/fleet/program.ts';

/** Content of the Dockerfile's last stage. */
export interface Image {
  /** Runs the image's entry point with these arguments, in the directory of drover.toml, and with no more of the environment than is given. */
  run(args: readonly string[], options: RunOptions): ChildProcess;
  /** The default command. */
  readonly command: readonly string[];
}

interface RunOptions {
  /** The directory that drover.toml is mounted in. */
  readonly mounted: string;
  /** The directory in memory. */
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Lays the files that the last stage copies into `directory`, in the layout of the image: those of the checkout, and
 * the bundle. @throws if the Dockerfile copies anything that the build does not make.
 */
export async function layImage(directory: string): Promise<Image> {
  await promisify(execFile)(process.execPath, [path.join(REPOSITORY, 'apps/dashboard/build.ts')]);
  const lines = (await readFile(path.join(REPOSITORY, 'infra/image/Dockerfile'), 'utf8')).split('\n');
  for (const line of lines) {
    const [, from, to] = /^COPY --from=build \/src\/(\S+) (\/\S+)$/u.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const target = path.join(directory, to);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(from === 'apps/cli/dist' ? BUILD : path.join(REPOSITORY, from), target, { recursive: true });
  }
  const [program, entry = ''] = wordsOf(lines, 'ENTRYPOINT');
  if (program !== 'node') throw new Error(`the image runs ${program}`);
  return {
    command: wordsOf(lines, 'CMD'),
    run: (args, { mounted, tmp, env }) =>
      spawn(process.execPath, [path.join(directory, entry), ...args], {
        cwd: mounted,
        env: { HOME: '/nonexistent', TMPDIR: tmp, DROVER_DATA_DIR: path.join(tmp, 'drover'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}

function wordsOf(lines: readonly string[], instruction: string): readonly string[] {
  const line = lines.find((one) => one.startsWith(`${instruction} `)) ?? '';
  return JSON.parse(line.slice(instruction.length)) as string[];
}
