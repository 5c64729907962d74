/** Builds of the way between two machines with one fault each, to see that the histories across machines find them. */
import { join } from 'node:path';
import type { Git, RunCommand, RunResult } from '../../src/index.ts';
import type { Build } from './across.ts';

const DONE: RunResult = { status: 0, signal: undefined, stdout: '', stderr: '', timedOut: false };

/** Builders by fault. */
export const FAULTS_ACROSS: Readonly<Record<string, Build>> = {
  'a parcel is taken without its digest': { believesDigests: true },
  'the objects of a parcel are not checked': {
    home: (git) =>
      running(git, (args) => (args.includes('--strict') && args.includes('index-pack') ? DONE : undefined)),
  },
  'objects go into the depot before they are checked': { home: withoutQuarantine, here: withoutQuarantine },
  'the home moves the branch whatever it is at': {
    home: (git) => ({
      ...git,
      run: (program, args, options) =>
        git.run(program, args.includes('drover: accept alba') ? args.slice(0, -1) : args, options),
    }),
  },
  'the home does not look whether the commit stands on main': {
    home: (git) => running(git, (args) => (args.includes('--is-ancestor') ? DONE : undefined)),
  },
  'main of the other machine is asked once and never again': {
    home: (git) => {
      let first: ReturnType<Git['files']['readFile']> | undefined;
      const readFile: Git['files']['readFile'] = (path, options) => {
        if (!path.endsWith('/source/.git/refs/heads/main')) return git.files.readFile(path, options);
        first ??= git.files.readFile(path, options);
        return first;
      };
      return { ...git, files: { ...git.files, readFile } };
    },
  },
  'a publication whose answer is lost is not looked for': {
    here: (git) => {
      const made = new Set<string>();
      const run: RunCommand = async (program, args, options) => {
        const [ancestor = ''] = args.slice(-2);
        if (args.includes('--is-ancestor') && made.has(ancestor)) return { ...DONE, status: 1 };
        const result = await git.run(program, args, options);
        if (args.includes('commit-tree')) made.add(result.stdout.trim());
        return result;
      };
      return { ...git, run };
    },
  },
};

function running(git: Git, answer: (args: readonly string[]) => RunResult | undefined): Git {
  const run: RunCommand = async (program, args, options) => answer(args) ?? git.run(program, args, options);
  return { ...git, run };
}

/** Reads into the depot what should be read into the quarantine. */
function withoutQuarantine(git: Git): Git {
  return {
    ...git,
    run: async (program, args, options) => {
      const at = args[args.indexOf('-C') + 1] ?? '';
      const file = args.at(-1) ?? '';
      if (args.includes('unbundle')) {
        const depot = join(at, '../..', at.includes('their-spool') ? 'home-depot' : 'depot', 'depot.git');
        await git.run('git', ['-C', depot, 'fetch', '-q', file, 'refs/parcel/work'], options);
      }
      return git.run(program, args, options);
    },
  };
}
