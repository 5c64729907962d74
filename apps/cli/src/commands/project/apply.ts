/** `drover project apply`: applies a project file, a drover.toml, to the fleet. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import type { AppliedView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'apply a project file: bring the fleet to the settings of a drover.toml',
  example:
    'drover project apply -f shop/drover.toml --dry-run\ndrover project apply -f shop/drover.toml\ndrover project apply -f - --project shop < drover.toml',
  more: `The project has the name of the file's directory. What the file says about the
project counts: [repo], [defaults], [workers.<name>], [policy] and [escalation].
What it says of a process, such as [coordinator] and [agent], counts where that
process reads it. A coordinator of a Drover root reads the file of that root by
itself.`,
  options: {
    file: text('file', 'the document; "-" reads standard input', { short: 'f', isRequired: true }),
    project: text('name', 'the name of the project, if it is not that of the directory'),
    dryRun: flag('show what would change, without changing it'),
    force: flag(
      'also if the project belongs to a root, or its workers are based on commits of another source or branch',
    ),
  },
  async run(surroundings, { options: { file: named, dryRun, force, project } }) {
    const { cwd, terminal } = surroundings;
    const isInput = named === '-';
    const file = isInput ? path.join(cwd, 'standard input') : path.resolve(cwd, named);
    if (isInput && project === undefined)
      throw new CommandError(
        'usage',
        'Standard input has no directory to name the project after: give its name with --project',
      );
    const content = isInput ? await readInput() : await readDocument(file);
    const { toml, others, source, branch } = await documentOf(surroundings, { file, content });
    if (others.length > 0)
      terminal.err(
        `warning: ${others.map((name) => `[${name}]`).join(', ')} does not concern the project: it applies to the processes that read ${file}`,
      );
    const input = {
      name: project ?? path.basename(path.dirname(file)),
      source,
      branch,
      toml,
      from: file,
      force,
      dryRun,
    };
    const applied = await ask(surroundings, (client) => client.projects.declare.mutate(input));
    answer(surroundings, applied, appliedText);
  },
});

async function readInput(): Promise<string> {
  const { readStdin } = await import('../../hook/stdin-adapter.ts');
  return readStdin();
}

async function readDocument(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') throw new CommandError('not-found', `There is no file ${file}`, { cause });
    if (code === 'EISDIR')
      throw new CommandError('usage', `${file} is a directory: name its drover.toml with --file`, { cause });
    const why = messageOf(cause);
    throw new CommandError('not-found', `Cannot read the file of --file: ${why}`, { cause });
  }
}

interface Document {
  readonly toml: string;
  readonly others: readonly string[];
  readonly source: string;
  readonly branch: string;
}

/** Reads the document and validates it here first, where errors can name lines. Loaded by need: only this reads a configuration and asks git. */
async function documentOf(
  surroundings: Surroundings,
  { file, content }: { readonly file: string; readonly content: string },
): Promise<Document> {
  const { formatProblem, parseConfig, projectPart } = await import('@drover/config');
  const { environment } = surroundings;
  const outcome = parseConfig(content, { root: path.dirname(file), file, environment });
  if (outcome.kind === 'invalid') throw new CommandError('problems', outcome.problems.map(formatProblem).join('\n'));
  const { source, default_branch: named } = outcome.config.repo;
  const branch = named ?? (await branchOf(surroundings, source));
  return { ...projectPart(content), source, branch };
}

async function branchOf(surroundings: Surroundings, source: string): Promise<string> {
  const { branchOf: ofAddress } = await import('../../compose/branch.ts');
  return ofAddress(surroundings, source, 'set repo.default_branch');
}

function appliedText({ name, outcome, dryRun, changes, workers }: AppliedView): string {
  const project = plain(name);
  if (outcome === 'unchanged' && workers.length === 0) return `${project}: nothing changes.`;
  const lines = changes.map(({ key, before, after }) => `  ${plain(key)}: ${change(before, after)}`);
  const said = workers.map((sentence) => `  worker ${plain(sentence)}`);
  const end = dryRun ? 'This was a dry run: nothing was changed.' : `${project} is ${outcome}.`;
  return [`${project}${outcome === 'added' ? ' (a new project)' : ''}:`, ...lines, ...said, end].join('\n');
}

const CHARACTERS_SHOWN = 120;

function change(before: string | null, after: string | null): string {
  if (before === null) return cut(after ?? '');
  return `${cut(before)} → ${after === null ? 'the default' : cut(after)}`;
}

function cut(value: string): string {
  return plain(value.length > CHARACTERS_SHOWN ? `${value.slice(0, CHARACTERS_SHOWN)}…` : value);
}
