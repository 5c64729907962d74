// Writes docs/configuration.md, the list of options, from the schema: `npm run docs`.
import { describeConfig, ENVIRONMENT_ONLY, type OptionDescription, type SectionDescription } from '@drover/config';

/** The page's whole text. */
export function configurationPage(): string {
  return `${[HEAD, ...describeConfig().map(sectionText), environmentText()].join('\n\n')}\n`;
}

const HEAD = `# Configuration

<!-- Written by \`npm run docs\` from packages/config/src/schema/schema.ts: change it there. -->

\`drover init\` writes a first \`drover.toml\`; \`drover project check\` says what is wrong in it and where each value comes from. The
directory that holds the file is Drover's root. An unknown key is an error.

A command-line option beats the environment, the environment beats the file, the file beats the default. The variable of an option is
\`DROVER_\`, its table and its name in capitals, with \`_\` for \`.\` and \`-\`: \`DROVER_REPO_SOURCE\`, or \`DROVER_WORKERS_API_2_MODEL\` for the
worker \`api-2\`. An option names its further variables. An empty variable is unset. Lists in variables are separated by commas or written as in TOML (\`["a", "b"]\`); tables
are written as in TOML (\`{ a = 1 }\`).`;

function sectionText(section: SectionDescription): string {
  // A section that is one open table has itself as its only option.
  const options = section.options.filter(({ key }) => key !== section.name).map(optionText);
  return [`## \`[${section.name}]\``, section.description, ...options].join('\n\n');
}

function optionText(option: OptionDescription): string {
  const name = option.key.slice(option.section.length + 1);
  const standard = option.default === null ? '' : `, default \`${option.default}\``;
  const variables = option.env.slice(1).map((variable) => `\`${variable}\``);
  const more = variables.length === 0 ? '' : ` Also: ${variables.join(', ')}.`;
  return `- **\`${name}\`**: ${option.type}${standard}<br>\n  ${option.description}${more}`;
}

function environmentText(): string {
  const variables = ENVIRONMENT_ONLY.map(({ name, description }) => `- **\`${name}\`**: ${description}`);
  return ['## Environment only', ...variables].join('\n\n');
}
