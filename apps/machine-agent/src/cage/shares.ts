/** Parts of the user's home that a coding agent needs in a cage, unless drover.toml says more, by the profile of the build. */

/** Paths below the home directory; missing ones are left out. */
interface Shares {
  /** Read-only: settings name programs that would be run outside of the cage. */
  readonly reads: readonly string[];
  /** Writable: logins, which renew themselves. */
  readonly writes: readonly string[];
  /** Copied when the worker has none of its own: the program writes to them all the time. */
  readonly copies: readonly string[];
}

const GIT: readonly string[] = ['.gitconfig', '.config/git'];

const BY_PROFILE: Readonly<Record<string, Shares>> = {
  claude: {
    reads: ['.claude/settings.json', '.claude/CLAUDE.md', '.claude/agents', '.claude/commands', '.claude/skills'],
    writes: ['.claude/.credentials.json'],
    copies: ['.claude.json'],
  },
  codex: { reads: ['.codex/config.toml', '.codex/AGENTS.md'], writes: ['.codex/auth.json'], copies: [] },
  gemini: {
    reads: ['.gemini/settings.json', '.gemini/GEMINI.md'],
    writes: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json'],
    copies: [],
  },
  copilot: { reads: ['.copilot/config.json', '.copilot/mcp-config.json'], writes: [], copies: [] },
  qwen: { reads: ['.qwen/settings.json', '.qwen/QWEN.md'], writes: ['.qwen/oauth_creds.json'], copies: [] },
  pi: {
    reads: ['.pi/agent/settings.json', '.pi/agent/models.json', '.pi/agent/AGENTS.md'],
    writes: ['.pi/agent/auth.json'],
    copies: [],
  },
  opencode: { reads: ['.config/opencode'], writes: ['.local/share/opencode/auth.json'], copies: [] },
};

/** @param profile The id of a profile document. A profile that the build does not know gets git's settings alone. */
export function sharesOf(profile: string): Shares {
  const own = BY_PROFILE[profile] ?? { reads: [], writes: [], copies: [] };
  return { ...own, reads: [...GIT, ...own.reads] };
}
