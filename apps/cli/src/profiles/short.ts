/** Writes the short profile that a user begins with. */
import { BUILT_IN_DOCUMENTS, loadProfile } from '@drover/screen';
import type { ProfileDocument } from '@drover/screen';

/** A profile as TOML, or the reason why there is none. */
export type ShortProfile =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Fields of a launch that hold flags of the other program: this one may not know them. */
const FLAGS = [
  'session',
  'resume',
  'resumeLast',
  'model',
  'allowedTools',
  'systemPrompt',
  'settings',
  'channel',
  'background',
  'prompt',
] as const satisfies readonly (keyof ProfileDocument['launch'])[];

/** Files and addresses at which the other program tells its state. */
const RECORDS = ['transcript', 'structured'] as const satisfies readonly (keyof ProfileDocument['signals'])[];

/** @param program Its name or path; it is what tmux names while it runs, unless a script starts another program. */
export function shortProfile({
  name,
  like,
  program,
}: {
  readonly name: string;
  readonly like: string;
  readonly program: string;
}): ShortProfile {
  const base = BUILT_IN_DOCUMENTS.find(({ id }) => id === like);
  const names = BUILT_IN_DOCUMENTS.map(({ id }) => id).join(', ');
  if (base === undefined) return invalid(`There is no built-in profile "${like}"; there are: ${names}`);
  if (BUILT_IN_DOCUMENTS.some(({ id }) => id === name))
    return invalid(`"${name}" comes with Drover: choose another name, such as "my-${name}"`);
  const unset = unsetOf(base);
  const command = program.split('/').at(-1) ?? program;
  const checked = loadProfile({ like, id: name, name, commands: [command], unset, launch: { program } });
  if (checked.kind === 'invalid')
    return invalid(checked.problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return { kind: 'written', text: textOf({ name, like, program, command, unset }) };
}

function invalid(problem: string): ShortProfile {
  return { kind: 'invalid', problem };
}

function unsetOf(base: ProfileDocument): readonly string[] {
  return [
    ...FLAGS.filter((field) => (base.launch[field] ?? null) !== null).map((field) => `launch.${field}`),
    ...RECORDS.filter((field) => base.signals[field] !== null).map((field) => `signals.${field}`),
  ];
}

/** Strings of JSON are strings of TOML. */
function textOf({
  name,
  like,
  program,
  command,
  unset,
}: Readonly<Record<'name' | 'like' | 'program' | 'command', string>> & { readonly unset: readonly string[] }): string {
  return `# Teaches Drover a coding agent. What is not here is as in: drover profile show ${like}
like = ${JSON.stringify(like)}
id = ${JSON.stringify(name)}
name = ${JSON.stringify(name)}
# Names that tmux shows while it runs.
commands = ${quoteWords([command])}
# Fields of "${like}" that it does not have. To give it one, write the field: it counts in spite of this list.
unset = ${quoteWords(unset)}

[launch]
program = ${JSON.stringify(program)}
args = []

# Flags for a worker that asks, decides by itself, or asks nothing.
[launch.permissions]
ask = []
auto = []
skip = []
`;
}

function quoteWords(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}
