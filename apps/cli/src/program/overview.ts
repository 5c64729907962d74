/** `drover --help`: everyday verbs, nouns and three examples on one screen of 30 lines. */
import { NOUNS, OTHERS, VERBS } from '../commands/index.ts';
import type { LoadedCommand } from '../commands/load.ts';
import { wrap } from '../terminal/style.ts';

/** Columns of every help: those of the smallest usual terminal. */
export const HELP_COLUMNS = 80;

const EXAMPLES = `  cd my-project && drover init && cd ../my-project-drover && drover up
  drover add adam --wait && drover start --prompt "Add a flag"  # other terminal
  drover review && drover accept           # when "drover status" says so`;

const NOUNS_LINE = 'Nouns, with verbs of their own (most list when alone):';

/** Columns of the names of verbs. */
const NAME_COLUMNS = 13;

/** @param commands All commands. */
export function overview(commands: readonly LoadedCommand[]): string {
  const verbs = commands
    .filter(({ name }) => Object.hasOwn(VERBS, name))
    .map(({ name, command }) => `  ${name.padEnd(NAME_COLUMNS)}${command.about}`);
  const nouns = [...new Set(Object.keys(NOUNS).map((name) => name.split(' ')[0] ?? ''))];
  const others = [...new Set(Object.keys(OTHERS).map((name) => name.split(' ')[0] ?? ''))];
  return `Drover keeps coding agents at work. Usage: drover COMMAND [OPTIONS] [--help]

${verbs.join('\n')}

${wrap([NOUNS_LINE, ...nouns, ...others].join(' '), HELP_COLUMNS, '')}

${EXAMPLES}
`;
}
