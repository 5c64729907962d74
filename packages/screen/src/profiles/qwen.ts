/** Describes how to start, read and talk to Qwen Code. Measured on 0.24.4. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const NEVER = '^(?!)';

/** Without it each session listens on a socket, whose key any process of its user can read, and its model is offered the other sessions. */
const CLOSED = { agents: { crossSessionMessaging: false, crossSessionInbound: 'refuse' } } as const;

const SCREEN = {
  composer: {
    kind: 'between-rules',
    rule: '^─{8,}$',
    ruleStyle: { fg: 'coloured' },
    glyph: '^(?:[>*]|(?<lead>!))(?: |$)',
    scrolled: NEVER,
    indent: 2,
  },
  placeholder: { matches: '^(?:Type your message|Press Esc again)' },
  paste: '\\[Pasted (?:Text|Content):? [^[\\]]{1,80}\\]',
  attachment: '\\[Image [^[\\]]{1,80}\\]',
  block: '^ {2}[>◆●✕✓⊶⊷?✦ℹ⚠]',
  prompt: { matches: '^ {2}> ', text: { fg: 'coloured' } },
  dialog: {
    option: '^[\\s│]*(?<mark>[›❯]) (?<label>\\d+\\.\\s+\\S.*)$',
    mark: { fg: 'coloured' },
    selected: null,
    // A box of the conversation may stand anywhere above the tool that asks.
    top: '^\\s*╭─|^ {2}\\? (?:AskUserQuestion|(?<title>\\S))',
    topIsTitle: false,
    // Short name of a question, above its words.
    heading: '^\\s*[^?]{1,40}$',
    cursorInside: false,
    frame: '^[\\s│]*',
    bare: [],
    across: null,
    kinds: [
      { id: 'dialog-trust', kind: 'trust', matches: 'Do you trust this folder' },
      { id: 'dialog-question', kind: 'question', matches: 'Type something\\.\\.\\.' },
      { id: 'dialog-permission', kind: 'permission', matches: 'Yes, allow once|Allow once|Allow execution of' },
    ],
    tool: '(?:^|\\n)\\?\\s+(?<tool>\\S+)',
    command: '(?:^|\\n)\\?\\s+\\S+\\s+(?<command>.+)',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  ownTitle: '(?:^|\\s)Qwen - ',
  without: 'unknown',
  asking: [],
  panels: [],
  idleTitle: null,
  busy: [{ id: 'busy-title', in: 'title', matches: '^[◐◓◑◒⠀-⣿]\\S* ' }],
  starting: [],
  // No retry, queued text or interrupt was recorded yet: their words are not guessed.
  retrying: [],
  failed: [{ id: 'error-block', in: 'last', matches: '^ {2}✕\\S* (?<at>\\S.*)$', marker: { fg: 'coloured' } }],
  queued: [],
  interrupted: [],
  answer: '^ {2}◆',
  aside: null,
  noise: ['^\\s*[⠀-⣿]\\s.*esc to cancel\\)', '^\\s*[⠀-⣿]\\s'],
} as const satisfies ProfileDocument['screen'];

/** The profile document of Qwen Code. */
export const QWEN = {
  format: 1,
  id: 'qwen',
  name: 'Qwen Code',
  revision: 5,
  versions: ['0.24.2', '0.24.3', '0.24.4'],
  commands: ['node', 'qwen'],
  launch: {
    program: 'qwen',
    args: [],
    // Its UUIDs are of the versions 1 to 5, and Drover's of version 7.
    session: null,
    resume: ['--resume', '{session}'],
    resumeLast: ['--continue'],
    model: ['--model', '{model}'],
    permissions: {
      ask: ['--approval-mode', 'default'],
      auto: ['--approval-mode', 'auto'],
      skip: ['--approval-mode', 'yolo'],
    },
    allowedTools: ['--allowed-tools', '{tools}'],
    systemPrompt: ['--append-system-prompt', '{text}'],
    settings: null,
    // Lowest of its settings: those of the person and of the project come above it.
    settingsVariable: {
      name: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
      replaces: ['/etc/qwen-code/system-defaults.json', '/Library/Application Support/QwenCode/system-defaults.json'],
    },
    inner: { off: { ...CLOSED, permissions: { deny: ['agent'] } }, subagents: CLOSED },
    prompt: ['--prompt-interactive', '{prompt}'],
    env: { set: {}, unset: ['NO_COLOR'] },
  },
  typing: {
    method: 'paste',
    // As in Gemini CLI, whose code it began with.
    settleMs: 160,
    startupMs: 600,
    collapse: { lines: 6, chars: 500, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'switches to shell mode', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: true },
    ],
    newline: 'C-j',
    submit: 'Enter',
    clear: ['C-c'],
    interrupt: ['Escape'],
    exit: ['C-c', 'C-c', 'C-c'],
    queues: true,
  },
  signals: {
    title: true,
    transcript: '{home}/.qwen/projects/{slug}/chats/',
    structured: null,
    hooks: [{ since: '0.24.0', names: ['UserPromptSubmit', 'Stop'] }],
    hookMeaning: { UserPromptSubmit: 'turn-began', Stop: 'turn-ended' },
  },
  screen: SCREEN,
  errors: [...COMMON_ERRORS],
  answers: [],
  trust: [
    { kind: 'folder', begins: 'Do you trust this folder\\?', accept: 'Trust folder \\([^()]{1,200}\\)', refuse: null },
  ],
} as const satisfies ProfileDocument;
