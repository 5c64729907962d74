/** Describes how to start, read and talk to Claude Code. Measured on 2.1.330 (both renderers) and 2.1.197; see docs/adr/0011-profiles-are-data.md. */
import type { ProfileDocument } from '../profile/schema.ts';
import { CLAUDE_SCREEN } from './claude-screen.ts';
import { COMMON_ERRORS } from './errors.ts';

/** Hook names that 2.1.330 lists as valid. An unknown name raises a dialog at the next start. */
const HOOKS_2_1_330 = [
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptExpansion',
  'StopFailure',
  'SubagentStart',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
];

/** Hook names that every version of the 2 series knows. */
const HOOKS_2_0_0 = [
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
];

/**
 * Settings without the program's side doors: words of other sessions start no turn, no key moves the session to a background that outlives the
 * pane, nothing asks for a rating.
 */
const CLOSED = {
  crossSessionInbound: 'refuse',
  disableAgentView: true,
  disableWorkflows: true,
  feedbackSurveyRate: 0,
} as const;

/** The profile document of Claude Code. */
export const CLAUDE = {
  format: 1,
  id: 'claude',
  name: 'Claude Code',
  revision: 6,
  versions: ['2.1.197', '2.1.330', '2.1.331', '2.1.332'],
  commands: ['claude'],
  launch: {
    program: 'claude',
    args: [],
    session: ['--session-id', '{session}'],
    resume: ['--resume', '{session}'],
    resumeLast: ['--continue'],
    model: ['--model', '{model}'],
    permissions: {
      ask: ['--permission-mode', 'manual'],
      auto: ['--permission-mode', 'auto'],
      skip: ['--dangerously-skip-permissions'],
    },
    allowedTools: ['--allowedTools', '{tools}'],
    systemPrompt: ['--append-system-prompt', '{text}'],
    settings: ['--settings', '{file}'],
    inner: {
      off: { ...CLOSED, permissions: { deny: ['Agent', 'Task', 'ListAgents', 'SendMessage'] } },
      // A subagent is continued with SendMessage.
      subagents: { ...CLOSED, permissions: { deny: ['ListAgents'] } },
    },
    results: { args: [], allow: ['Bash(drover result:*)', 'Bash(drover tell:*)'] },
    // Its daemon starts a session that was killed again within seconds.
    background: { list: ['agents', '--json', '--all'], stop: ['stop', '{id}'], daemon: 'daemon run' },
    prompt: ['{prompt}'],
    // The prompt character no longer tells busy from idle under NO_COLOR.
    env: {
      set: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1' },
      unset: ['NO_COLOR', 'CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS'],
    },
  },
  typing: {
    method: 'paste',
    settleMs: 0,
    startupMs: 600,
    // A paste of 4 lines or more, or above about 800 characters, reaches the model wrapped in tags.
    collapse: { lines: 4, chars: 800, verbatim: false },
    chunks: { multiLineChars: 60, singleLineChars: 500, gapMs: 20 },
    leading: [
      { char: '!', means: 'runs a shell command, even when pasted', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: false },
      { char: '#', means: 'memory', spaceHelps: true },
    ],
    newline: 'C-j',
    submit: 'Enter',
    clear: ['Escape', 'Escape'],
    interrupt: ['Escape'],
    exit: ['C-c', 'C-c'],
    queues: true,
  },
  signals: {
    title: false,
    transcript: '{home}/.claude/projects/{slug}/{session}.jsonl',
    structured: {
      kind: 'file',
      where: '{home}/.claude/sessions',
      status: { idle: 'idle', busy: 'busy', waiting: 'waiting', shell: 'background' },
    },
    quota: { kind: 'status-line', own: '{home}/.claude/settings.json' },
    hooks: [
      { since: '2.0.0', names: HOOKS_2_0_0 },
      { since: '2.1.330', names: HOOKS_2_1_330 },
    ],
    hookMeaning: {
      SessionStart: 'started',
      UserPromptSubmit: 'turn-began',
      Stop: 'turn-ended',
      StopFailure: 'failed',
      PermissionRequest: 'permission',
      SessionEnd: 'ended',
    },
  },
  screen: CLAUDE_SCREEN,
  errors: [{ id: 'model', error: 'api', matches: 'issue with the selected model' }, ...COMMON_ERRORS],
  answers: [
    { kind: 'bypass', accept: ['Yes, I accept'], when: 'skip-permissions' },
    // A person decides whether one turn may use all that is left for five hours.
    {
      kind: 'resume',
      matches: '^(?![\\s\\S]*will\\s+use\\s+all\\s+of\\s+your)',
      accept: ['Resume full session as-is', 'Resume'],
      when: 'always',
    },
    { kind: 'limit', accept: ['Stop and wait for limit to reset'], when: 'always' },
    { kind: 'other', matches: 'Settings Warning', accept: ['Continue'], when: 'always' },
  ],
  trust: [
    {
      kind: 'folder',
      begins: 'Accessing workspace:|Do you trust the files in this folder\\?',
      accept: 'Yes, I trust this folder|Yes, proceed',
      // Its other option ends the program.
      refuse: null,
    },
    {
      kind: 'api-key',
      begins: 'Detected a custom API key in your environment',
      accept: 'Yes',
      refuse: 'No(?: \\(recommended\\))?',
    },
    // Esc would be kept as a lasting no, as is the option that is highlighted first.
    {
      kind: 'imports',
      begins: 'Allow external CLAUDE\\.md file imports\\?',
      accept: 'Yes, allow external imports',
      refuse: 'No, disable external imports',
    },
    {
      kind: 'mcp',
      begins: 'New MCP server found in (?:\\.mcp\\.json|this project): ',
      accept: 'Use this and all future MCP servers in this project',
      refuse: 'Continue without using this MCP server',
    },
    // All choices are ticked when it opens.
    {
      kind: 'mcp',
      begins: '\\d{1,3} new MCP servers found in this project ',
      accept: 'Enable selected',
      refuse: 'Esc to reject all',
      others: '\\[✔\\] .+',
    },
  ],
} as const satisfies ProfileDocument;
