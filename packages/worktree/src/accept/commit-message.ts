/** Writes the message of an accepted commit, and drops the lines of agents from it. Pure. */

/** Agents by the name they sign with when nothing but a product is meant. */
const AGENT_NAMES =
  /^(claude (code|opus|sonnet|haiku|\d)|(openai )?codex\b|gemini (cli|code|pro|flash|\d)|google gemini|(github )?copilot\b|cursor ?(agent|ai|bot)|opencode\b|aider\b|devin ai|amp code|jules \(|google-labs-jules|openhands\b|(roo|kilo) code|cline\b|windsurf\b)/i;

/** Names that people have too: they count as agents only with an address of no person. */
const SHARED_NAMES = /^(claude|gemini|cursor|devin|amp|jules|goose|qwen|kimi|codex|copilot|grok)$/i;

/** Addresses that no person reads. */
const AGENT_ADDRESSES =
  /^(noreply@(anthropic|openai|google|x)\.(com|ai)|(claude|codex)@(anthropic|openai)\.com|cursoragent@cursor\.com|copilot@github\.com|.*@(aider\.chat|opencode\.ai|ampcode\.com|cognition\.ai|all-hands\.dev)|(\d+\+)?(copilot|copilot-swe-agent|claude|codex|gemini-code-assist|google-labs-jules|devin-ai-integration|cursor|opencode|openhands-agent)(\[bot\])?@users\.noreply\.github\.com)$/i;

const NO_REPLY = /(^$|no-?reply|\[bot\])/i;

const TRAILER = /^\s*(?:co-authored-by|signed-off-by|assisted-by|generated-by|made-with)\s*:(.*)$/i;
const ADDRESS = /<([^<>]*)>$/;
const PERSON_TRAILER = /^\s*co-authored-by\s*:/i;
const SESSION_TRAILER = /^\s*(claude|codex|gemini|opencode|amp)-(session|thread)(-id|-url)?\s*:/i;

/** `🤖 Generated with [Claude Code](…)` and its like; the product must be named, so "Generated with protoc" stays. */
const GENERATED =
  /^\W*(generated|made|created|written|implemented) (with|by|using|via)\W+(the )?((anthropic|openai|google|github)\W*)?(claude|codex|gemini|opencode|copilot|cursor|aider|devin|amp|jules|openhands|cline|windsurf|goose|sourcegraph)\b/i;

/** Tells whether the person of a trailer is a coding agent. */
export function isAgent(name: string, email: string): boolean {
  if (AGENT_ADDRESSES.test(email) || AGENT_NAMES.test(name)) return true;
  return SHARED_NAMES.test(name) && NO_REPLY.test(email);
}

/** The message without the lines by which agents attribute it to themselves. People's lines stay. */
export function withoutAgentLines(message: string): string {
  const kept = message
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !isAgentLine(line));
  return `${kept
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function isAgentLine(line: string): boolean {
  if (GENERATED.test(line) || SESSION_TRAILER.test(line)) return true;
  const person = TRAILER.exec(line)?.[1]?.trim();
  if (person === undefined) return false;
  const [written = '', address = ''] = ADDRESS.exec(person) ?? [];
  return isAgent(person.slice(0, person.length - written.length).trim(), address);
}

interface SquashedCommit {
  readonly message: string;
}

/**
 * The message for several commits, oldest first: the first one's, then the subjects of the others as a list, then
 * every co-author who is a person, each once.
 */
export function squashMessage(commits: readonly SquashedCommit[]): string {
  const messages = commits.map((commit) => withoutAgentLines(commit.message));
  const [first = '', ...others] = messages;
  if (others.length === 0) return first;
  const coAuthors = [
    ...new Set(messages.flatMap((message) => message.split('\n').filter((line) => PERSON_TRAILER.test(line)))),
  ];
  const body = first
    .split('\n')
    .filter((line) => !PERSON_TRAILER.test(line))
    .join('\n')
    .trimEnd();
  const subjects = others.map((message) => `* ${message.split('\n')[0] ?? ''}`).join('\n');
  return `${[body, subjects, coAuthors.join('\n')].filter((part) => part !== '').join('\n\n')}\n`;
}
