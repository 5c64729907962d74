/**
 * Shows work as it is, whatever the repository says about showing it. Git reads the objects of the clone from an empty
 * repository: there are no attributes, drivers, configuration, replaced objects or indexes of it that an agent or a
 * person could have changed.
 */
import { errorFromGit } from '../git/git-error.ts';
import { type Git, type GitCall, git, gitText, unconfined } from '../git/git.ts';
import { safeRevision } from '../names.ts';
import { reading } from '../git/revisions.ts';
import { readShallow } from '../git/shallow.ts';

/** An empty repository on the objects of a clone. Disposing removes it. */
export interface ObjectView extends AsyncDisposable {
  readonly git: Git;
  /** Options that a call of git needs to look through the view. */
  readonly call: Pick<GitCall, 'at' | 'env' | 'config' | 'reads'>;
  /** The commits that were asked for, by their ids: the view has no names. */
  readonly commits: readonly string[];
  /** Takes these paths for text, whatever is in them. */
  treatAsText(paths: readonly string[]): Promise<void>;
}

/** Makes one in the directory for temporary files, for commits that the worktree has names for. @throws {GitError} */
export async function openObjectView(
  context: Git,
  worktree: string,
  revisions: readonly string[],
): Promise<ObjectView> {
  const place = reading(worktree, 'find what is to be shown');
  const names = revisions.map((revision) => `${safeRevision(revision)}^{commit}`);
  const args = ['rev-parse', '--path-format=absolute', '--show-object-format', '--git-path', 'objects'];
  const answer = await gitText(context, [...args, '--git-path', 'shallow', ...names, '--'], place);
  const [format = '', objects = '', shallow = '', ...commits] = answer.split('\n').filter((line) => line !== '--');
  const looking = unconfined(context);
  const at = await makeDirectory(looking, place);
  const { files } = context;
  const view: ObjectView = {
    git: looking,
    call: { at, env: { ...CLEAN, GIT_DIR: at, GIT_OBJECT_DIRECTORY: objects }, config: CONFIG, reads: true },
    commits,
    treatAsText: (paths) => files.writeFile(`${at}/info/attributes`, paths.map(attributeLine).join('')),
    [Symbol.asyncDispose]: () => files.rm(at),
  };
  try {
    for (const name of ['info', 'objects', 'refs']) await files.mkdir(`${at}/${name}`);
    await files.writeFile(`${at}/HEAD`, 'ref: refs/heads/none\n');
    await files.writeFile(
      `${at}/config`,
      format === 'sha1' ? PLAIN_CONFIG : `${NEW_CONFIG}\tobjectFormat = ${format}\n`,
    );
    await copyShallow(view, shallow);
    return view;
  } catch (error) {
    await view[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes a directory whose name no other program knows beforehand, and that no other user can read. */
async function makeDirectory(context: Git, { action, timeoutMs }: GitCall): Promise<string> {
  const { status, stdout, stderr } = await context.run('mktemp', ['-d', '-t', 'drover-view.XXXXXXXX'], { timeoutMs });
  if (status === 0) return stdout.trim();
  throw errorFromGit(action, stderr || 'mktemp made no temporary directory');
}

const PLAIN_CONFIG = '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n';
const NEW_CONFIG = '[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n';

const CLEAN = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
} as const;

const CONFIG = ['core.attributesFile=/dev/null'] as const;

/** Copies the list of commits where history ends because their parents were never fetched. A line of a commit whose parent is there only hides it. */
async function copyShallow({ git: context, call }: ObjectView, file: string): Promise<void> {
  const commits = await readShallow(context, file);
  if (commits.length === 0) return;
  const input = commits.map((commit) => `${commit}^1\n`).join('');
  const args = ['cat-file', '--batch-check=%(objecttype)'];
  const { stdout } = await git(context, args, { ...reading(call.at, 'read where history ends'), ...call, input });
  const answers = stdout.split('\n');
  const kept = commits.filter((_, index) => answers[index] !== 'commit');
  await context.files.writeFile(`${call.at}/shallow`, kept.map((commit) => `${commit}\n`).join(''));
}

/** A line for one path, however odd: characters of patterns are escaped, then git's quotes put around it. */
function attributeLine(path: string): string {
  const pattern = `/${path.replaceAll(/[*?[\]\\]/g, '\\$&')}`;
  // oxlint-disable-next-line no-control-regex -- names may hold them
  const quoted = pattern.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\u0000-\u001f\u007f]/g, octal);
  return `"${quoted}" diff\n`;
}

function octal(char: string): string {
  return `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
