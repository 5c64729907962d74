/** Builds of the git flow with one fault each, to see that the histories find them. */
import type { Git, GitFiles, RunCommand, RunResult } from '../../src/index.ts';

type Fault = (git: Git) => Git;

const DONE: RunResult = { status: 0, signal: undefined, stdout: '', stderr: '', timedOut: false };

/** Faults by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the default branch is read once and never again': (git) => {
    let first: Promise<string | undefined> | undefined;
    const readFile: GitFiles['readFile'] = (path, options) => {
      if (!path.endsWith('/source/.git/refs/heads/main')) return git.files.readFile(path, options);
      first ??= git.files.readFile(path, options);
      return first;
    };
    return { ...git, files: { ...git.files, readFile } };
  },
  'the candidate has the files of the work alone': (git) => mergingTo(git, (head) => `${head}^{tree}`),
  'the candidate has the files of the default branch alone': (git) => mergingTo(git, (_, base) => `${base}^{tree}`),
  'the time of the machine is in the candidate': (git) => {
    let second = 1_900_000_000;
    return running(git, (program, args, options) => {
      if (!args.includes('commit-tree')) return git.run(program, args, options);
      second += 1;
      return git.run(program, args, { ...options, env: { ...options.env, GIT_COMMITTER_DATE: `${second} +0000` } });
    });
  },
  'the branch moves whatever it is at': (git) =>
    running(git, (program, args, options) =>
      git.run(program, args.includes('drover: accept alba') ? args.slice(0, -1) : args, options),
    ),
  'nothing goes to the trash': (git) =>
    running(git, (program, args, options) =>
      args.some((word) => word.startsWith('refs/drover/trash/')) && args.includes('update-ref')
        ? Promise.resolve(DONE)
        : git.run(program, args, options),
    ),
  'commits that came after the review are not counted': (git) =>
    running(git, (program, args, options) =>
      has(args, 'rev-list', '--left-right')
        ? Promise.resolve({ ...DONE, stdout: '0\t0\n' })
        : git.run(program, args, options),
    ),
  'nobody looks for files that a person changed': (git) => {
    const run: RunCommand = async (program, args, options) => {
      const result = await git.run(program, args, options);
      if (!has(args, 'status', '--ignore-submodules=dirty')) return result;
      const heads = result.stdout.split('\0').filter((record) => record.startsWith('#'));
      return { ...result, stdout: heads.join('\0') };
    };
    return { ...running(git, run), files: withoutFilesOf(git.files) };
  },
  'the files of the source do not follow': (git) =>
    running(git, (program, args, options) =>
      has(args, 'read-tree', '-u') ? Promise.resolve(DONE) : git.run(program, args, options),
    ),
  'ignored files go with a fresh worktree': (git) =>
    running(git, async (program, args, options) => {
      const result = await git.run(program, args, options);
      const at = args[args.indexOf('-C') + 1] ?? '';
      if (has(args, 'checkout', '--detach'))
        await git.run('git', ['-C', at, 'clean', '-qffdx'], { timeoutMs: options.timeoutMs });
      return result;
    }),
  'the attributes of the clone count': (git) =>
    running(git, (program, args, options) => {
      const isMerge = args.includes('merge-tree');
      const own = args.filter((word) => !word.startsWith('core.attributesFile'));
      return git.run(program, isMerge ? withoutDangling(own).map(cloneFor) : args, options);
    }),
};

function running(git: Git, run: RunCommand): Git {
  return { ...git, run };
}

function has(args: readonly string[], ...words: readonly string[]): boolean {
  return words.every((word) => args.includes(word));
}

/** The clone beside a depot. */
function cloneFor(word: string): string {
  return word.replace(/\/depot[^/]*\/depot\.git$/u, '/clone');
}

/** A `-c` whose setting was taken out. */
function withoutDangling(args: readonly string[]): string[] {
  return args.filter((word, index) => word !== '-c' || (args[index + 1] ?? '-').includes('='));
}

/** Says that each merge gives the tree of this name. */
function mergingTo(git: Git, treeOf: (head: string, base: string) => string): Git {
  return running(git, async (program, args, options) => {
    if (!args.includes('merge-tree')) return git.run(program, args, options);
    const merged = await git.run(program, args, options);
    if (merged.status !== 0) return merged;
    const [base = '', head = ''] = args.slice(-2);
    const at = args[args.indexOf('-C') + 1] ?? '';
    const found = await git.run('git', ['-C', at, 'rev-parse', treeOf(head, base)], { timeoutMs: options.timeoutMs });
    return { ...merged, stdout: `${found.stdout.trim()}\0` };
  });
}

/** Hides that anything is in the way in the source. */
function withoutFilesOf(files: GitFiles): GitFiles {
  return {
    ...files,
    stat: (path) => (path.includes('/source/') ? Promise.resolve(undefined) : files.stat(path)),
  };
}
