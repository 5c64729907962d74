// Writes the `drover.toml` of `drover init`.
import { stringify } from 'smol-toml';
import { describeConfig, type OptionDescription, type SectionDescription } from './describe.ts';

/** A first `drover.toml`: the source as given, every other option as a comment with its default. `parseConfig` reads back the same settings. */
export function configTemplate({
  source,
  defaultBranch,
  branchPrefix,
}: {
  readonly source: string;
  readonly defaultBranch?: string;
  readonly branchPrefix?: string | undefined;
}): string {
  const chosen = new Map<string, string>([['repo.source', source]]);
  if (defaultBranch !== undefined) chosen.set('repo.default_branch', defaultBranch);
  if (branchPrefix !== undefined) chosen.set('repo.branch_prefix', branchPrefix);
  const head = [
    '# Configuration of Drover. `drover project check` reads it and says what is wrong.',
    '# What stands behind a # is the default, or an example where there is none.',
  ];
  return [head.join('\n'), ...describeConfig().map((section) => sectionText(section, chosen)), ''].join('\n\n');
}

function sectionText(section: SectionDescription, chosen: ReadonlyMap<string, string>): string {
  const name = section.name.replace('<name>', EXAMPLES[section.name] ?? 'adam');
  const isTable = section.options.some((option) => option.section === '');
  const header = section.name.includes('<name>') ? `# [${name}]` : `[${name}]`;
  const options = isTable ? [] : section.options.map((option) => optionText(option, chosen.get(option.key)));
  return [...wrapped(section.description), header, ...options].join('\n');
}

function optionText(option: OptionDescription, value: string | undefined): string {
  const name = option.key.slice(option.section.length + 1);
  const line =
    value === undefined
      ? `# ${name} = ${option.default ?? EXAMPLES[option.key] ?? '""'}`
      : stringify({ [name]: value }).trim();
  return [...wrapped(option.description), line].join('\n');
}

/** Names of example tables and values of options that have no default. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'workers.<name>': 'adam',
  'profiles.<name>': 'claude',
  'machines.<name>': 'build-3',
  'accounts.<name>': 'second',
  'defaults.model': '"opus"',
  'repo.home': '"laptop"',
  'repo.default_branch': '"main"',
  'workers.<name>.profile': '"claude"',
  'workers.<name>.model': '"sonnet"',
  'workers.<name>.skip_permissions': 'false',
  'workers.<name>.allowed_tools': '["Read", "Grep"]',
  'workers.<name>.role_prompt': '"You look after the user interface."',
  'profiles.<name>.program': '["/opt/claude/bin/claude"]',
  'profiles.<name>.account': '"team"',
  'profiles.<name>.inner': '"off"',
  'profiles.<name>.channel': 'false',
  'profiles.<name>.isolation': '"bubblewrap"',
  'profiles.<name>.isolation_reads': '["~/.cargo"]',
  'profiles.<name>.isolation_writes': '["~/.cache/npm"]',
  'accounts.<name>.home': '"~/second-account"',
  'budget.task': '{ time = "2h", tokens = "2M" }',
  'budget.worker': '{ tokens = "50M" }',
  'budget.project': '{ money = "$500" }',
  'budget.day': '{ tokens = "20M", money = "$50" }',
  'escalation.quiet': '{ from = "22:00", to = "07:00", days = ["mon", "tue", "wed", "thu", "fri"], through = "fatal" }',
  'escalation.steps': '[{ after = "0s", notify = ["*"] }, { after = "10m", notify = ["person:ada"] }]',
  'escalation.timeout': '{ after = "8h", answer = "skip" }',
  'email.smtp_url': '"smtps://drover@mail.example.com"',
  'coordinator.public_url': '"http://localhost:4680"',
  'coordinator.min_version': '"2.0"',
  'coordinator.allowed_origins': '["https://board.example.com"]',
  'coordinator.database_url': '"postgres://drover@db.example.com/drover"',
  'coordinator.database_direct_url': '"postgres://drover@db.example.com:5432/drover"',
  'coordinator.traces_url': '"http://localhost:4318"',
  'agent.coordinator_url': '"https://drover.example.com"',
  'agent.name': '"laptop"',
  'chat.telegram_token_file': '"telegram-token"',
  'chat.slack_app_token_file': '"slack-app-token"',
  'chat.slack_bot_token_file': '"slack-bot-token"',
  'chat.discord_token_file': '"discord-token"',
  'chat.ntfy_topic_file': '"ntfy-topic"',
  'chat.ntfy_token_file': '"ntfy-token"',
  'agent.workspace': '"~/drover"',
  'agent.allowed_sources': '["~/code"]',
  'agent.allowed_profiles': '["claude"]',
  'agent.allowed_tools': '["Read", "Grep"]',
  'agent.allowed_copy_files': '[".env.test"]',
  'agent.allowed_trust': '["folder", "mcp"]',
};

/** A comment of at most 100 columns a line. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 100) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
