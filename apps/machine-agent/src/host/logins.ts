/** Knows how agent programs are logged in: their files, and the variables that replace a login. */
import type { Profile } from '@drover/screen';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Login of a program: its files, the variables that replace it, and advice for a person. */
export interface Login {
  /** Paths below the home directory. */
  readonly files: readonly string[];
  readonly variables: readonly string[];
  readonly how: string;
}

/** The variable whose key Claude Code asks about, and Drover refuses until a person decides. */
export const ASKED = 'ANTHROPIC_API_KEY';

export const LOGINS: Readonly<Record<string, Login>> = {
  claude: {
    files: ['.claude/.credentials.json'],
    variables: [
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      ASKED,
    ],
    how: 'start "claude" once by hand and type /login',
  },
  codex: { files: ['.codex/auth.json'], variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], how: 'run "codex login"' },
  gemini: {
    files: ['.gemini/oauth_creds.json'],
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
    how: 'start "gemini" once by hand and log in',
  },
  opencode: { files: ['.local/share/opencode/auth.json'], variables: [], how: 'run "opencode auth login"' },
};

/** Lists the variables in the environment of a profile's agents that replace a login: which account pays depends on them. */
export function keysOf(
  { profile, env: own }: { readonly profile: Profile; readonly env: Environment },
  env: Environment,
): readonly string[] | undefined {
  const left = Object.entries({ ...env, ...own }).filter(([name]) => !profile.launch.env.unset.includes(name));
  const held = new Set(left.filter(([, value]) => (value ?? '') !== '').map(([name]) => name));
  return LOGINS[profile.id]?.variables.filter((name) => held.has(name));
}
