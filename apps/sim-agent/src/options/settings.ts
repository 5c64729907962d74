// Parses the settings' text into rules for hooks, with the names that this version does not know. Pure.

/** The hook events that Claude Code 2.1.330 knows, in the order of its own message. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
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
] as const;

/** A hook event that this version knows. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Command to run on an event. An empty matcher, or `*`, matches every subject; otherwise it is a regular expression for the whole name. */
export interface HookRule {
  readonly event: HookEvent;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutMs: number;
}

/** Content of the settings, as far as this program cares. */
export interface Settings {
  readonly rules: readonly HookRule[];
  readonly unknownEvents: readonly string[];
}

/** A hook is given up after this long unless its rule says otherwise; the real program's default. */
const HOOK_TIMEOUT_MS = 60_000;

/** @throws {SyntaxError} when the text is not JSON. Parts of another shape are passed over, as the real program does. */
export function parseSettings(text: string): Settings {
  const root: unknown = JSON.parse(text);
  const hooks = field(root, 'hooks');
  if (!isObject(hooks)) return { rules: [], unknownEvents: [] };
  const names = Object.keys(hooks);
  return {
    rules: names
      .filter(isHookEvent)
      .flatMap((event) => list(hooks[event]).flatMap((group) => groupRules(event, group))),
    unknownEvents: names.filter((name) => !isHookEvent(name)),
  };
}

/** The rules that an event with that subject (a tool's name, or a source) fires. */
export function rulesFor(settings: Settings, event: HookEvent, subject: string): HookRule[] {
  return settings.rules.filter((rule) => rule.event === event && matches(rule.matcher, subject));
}

function groupRules(event: HookEvent, group: unknown): HookRule[] {
  const matcher = field(group, 'matcher');
  return list(field(group, 'hooks')).flatMap((hook) => {
    const command = field(hook, 'command');
    const timeout = field(hook, 'timeout');
    if (typeof command !== 'string') return [];
    return [
      {
        event,
        matcher: typeof matcher === 'string' ? matcher : '',
        command,
        timeoutMs: typeof timeout === 'number' ? timeout * 1000 : HOOK_TIMEOUT_MS,
      },
    ];
  });
}

function matches(matcher: string, subject: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(subject);
  } catch {
    return false;
  }
}

function isHookEvent(name: string): name is HookEvent {
  return (HOOK_EVENTS as readonly string[]).includes(name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
