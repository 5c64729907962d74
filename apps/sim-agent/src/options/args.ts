// Parses command line and environment into a frozen configuration or a message. Pure.

import { CLAUDE, personaNamed, type PermissionMode, type Persona } from '../screen/persona.ts';

/** Everything that a call can settle. Paths are as given; times are milliseconds. */
export interface Options {
  readonly persona: Persona;
  readonly prompt: string | undefined;
  readonly sessionId: string | undefined;
  readonly resume: string | undefined;
  readonly continues: boolean;
  readonly model: string;
  readonly mode: PermissionMode;
  readonly allowedTools: readonly string[];
  /** A file's path, or the settings themselves as JSON. */
  readonly settings: string | undefined;
  readonly home: string;
  readonly log: string | undefined;
  readonly control: string | undefined;
  readonly trustDialog: boolean;
  readonly apiKeyDialog: boolean;
  readonly importsDialog: boolean;
  /** Milliseconds between frames of the spinner, and between lines of streamed text. */
  readonly tickMs: number;
  /** Enter is swallowed for this long after the first ready screen. Measured: about 600 ms. */
  readonly startSwallowMs: number;
  /** Enter is swallowed for this long after a burst of unbracketed text. Measured: none lost at 100 ms. */
  readonly burstMs: number;
  /** A prompt stands in the transcript this long before its turn begins, as on a machine that is short of time. */
  readonly lateTurnMs: number;
  /** Tells whether a collapsed paste is wrapped in tags for the model, as the real program does. */
  readonly wrapPastes: boolean;
  /** Every turn fails with an API error, whatever its prompt says. */
  readonly outage: boolean;
}

/** Meaning of a call: a run, a text to print, or nothing that can be done, with the reason. */
type ParsedArgs =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

/** Flags that take a value, with the environment variable that stands in for them. */
const VALUES = {
  '--session-id': undefined,
  '--resume': undefined,
  '--model': 'SIM_AGENT_MODEL',
  '--permission-mode': 'SIM_AGENT_PERMISSION_MODE',
  '--allowedTools': undefined,
  '--settings': 'SIM_AGENT_SETTINGS',
  '--add-dir': undefined,
  '--persona': 'SIM_AGENT_PERSONA',
  '--log': 'SIM_AGENT_LOG',
  '--control': 'SIM_AGENT_CONTROL',
  '--tick-ms': 'SIM_AGENT_TICK_MS',
  '--start-swallow-ms': 'SIM_AGENT_START_SWALLOW_MS',
  '--burst-ms': 'SIM_AGENT_BURST_MS',
  '--late-turn-ms': 'SIM_AGENT_LATE_TURN_MS',
} as const satisfies Record<string, string | undefined>;

/** Flags that are there or not, with the environment variable that stands in for them when it is `1`. */
const SWITCHES = {
  '--continue': undefined,
  '--dangerously-skip-permissions': undefined,
  '--trust-dialog': 'SIM_AGENT_TRUST_DIALOG',
  '--api-key-dialog': 'SIM_AGENT_API_KEY_DIALOG',
  '--imports-dialog': 'SIM_AGENT_IMPORTS_DIALOG',
  '--wrap-pastes': 'SIM_AGENT_WRAP_PASTES',
  '--outage': 'SIM_AGENT_OUTAGE',
  '--help': undefined,
  '--version': undefined,
} as const satisfies Record<string, string | undefined>;

const SHORT: Readonly<Record<string, string>> = {
  '-c': '--continue',
  '-r': '--resume',
  '-h': '--help',
  '-v': '--version',
};
const MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  acceptEdits: 'acceptEdits',
  auto: 'auto',
  plan: 'plan',
  bypassPermissions: 'bypassPermissions',
};

type ValueFlag = keyof typeof VALUES;
type SwitchFlag = keyof typeof SWITCHES;
type Env = Readonly<Record<string, string | undefined>>;

interface Given {
  readonly values: Map<ValueFlag, string>;
  readonly switches: Set<SwitchFlag>;
  readonly words: string[];
}

/** @param env the environment; an empty variable counts as unset. */
export function parseArgs(argv: readonly string[], env: Env): ParsedArgs {
  const given = collect(argv, env);
  if (typeof given === 'string') return { kind: 'wrong', message: given };
  if (given.switches.has('--help')) return { kind: 'print', text: usage() };
  if (given.switches.has('--version')) return { kind: 'print', text: `${CLAUDE.version} (sim-agent)` };
  const persona = personaNamed(given.values.get('--persona') ?? CLAUDE.name);
  if (persona === undefined)
    return { kind: 'wrong', message: `error: unknown persona '${given.values.get('--persona')}'; known: claude` };
  const modeName = given.values.get('--permission-mode') ?? 'default';
  const mode = given.switches.has('--dangerously-skip-permissions') ? 'bypassPermissions' : MODES[modeName];
  if (mode === undefined) {
    return {
      kind: 'wrong',
      message: `error: option '--permission-mode' is '${modeName}'; allowed: ${Object.keys(MODES).join(', ')}`,
    };
  }
  return { kind: 'run', options: optionsOf(given, { persona, mode, env }) };
}

function optionsOf(given: Given, settled: { persona: Persona; mode: PermissionMode; env: Env }): Options {
  const { values, switches } = given;
  const prompt = given.words.join(' ');
  return {
    persona: settled.persona,
    mode: settled.mode,
    prompt: prompt === '' ? undefined : prompt,
    sessionId: values.get('--session-id'),
    resume: values.get('--resume'),
    continues: switches.has('--continue'),
    model: values.get('--model') ?? 'Opus 5.5',
    allowedTools: (values.get('--allowedTools') ?? '')
      .split(/,(?![^(]*\))/)
      .map((tool) => tool.trim())
      .filter((tool) => tool !== ''),
    settings: values.get('--settings'),
    home: settled.env['SIM_AGENT_HOME'] || `${settled.env['HOME'] ?? '/tmp'}/.sim-agent`,
    log: values.get('--log'),
    control: values.get('--control'),
    trustDialog: switches.has('--trust-dialog'),
    apiKeyDialog: switches.has('--api-key-dialog'),
    importsDialog: switches.has('--imports-dialog'),
    tickMs: milliseconds(values.get('--tick-ms'), 100),
    startSwallowMs: milliseconds(values.get('--start-swallow-ms'), 600),
    burstMs: milliseconds(values.get('--burst-ms'), 100),
    lateTurnMs: milliseconds(values.get('--late-turn-ms'), 0),
    wrapPastes: switches.has('--wrap-pastes'),
    outage: switches.has('--outage'),
  };
}

function collect(argv: readonly string[], env: Env): Given | string {
  const given: Given = { values: new Map(), switches: new Set(), words: [] };
  fromEnvironment(given, env);
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      given.words.push(...rest);
      break;
    }
    const [name = '', inline] = /^--[\w-]+=/s.test(word)
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word];
    const flag = SHORT[name] ?? name;
    if (isValueFlag(flag)) {
      const value = inline ?? rest.shift();
      if (value === undefined) return `error: option '${flag}' argument missing`;
      given.values.set(flag, value);
    } else if (isSwitchFlag(flag)) given.switches.add(flag);
    else if (flag.startsWith('-')) return `error: unknown option '${flag}'`;
    else given.words.push(word);
  }
  return given;
}

function fromEnvironment(given: Given, env: Env): void {
  for (const [flag, name] of Object.entries(VALUES)) {
    const value = name === undefined ? undefined : env[name];
    if (value !== undefined && value !== '' && isValueFlag(flag)) given.values.set(flag, value);
  }
  for (const [flag, name] of Object.entries(SWITCHES)) {
    if (name !== undefined && env[name] === '1' && isSwitchFlag(flag)) given.switches.add(flag);
  }
}

function isValueFlag(flag: string): flag is ValueFlag {
  return Object.hasOwn(VALUES, flag);
}

function isSwitchFlag(flag: string): flag is SwitchFlag {
  return Object.hasOwn(SWITCHES, flag);
}

function milliseconds(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}

function usage(): string {
  return [
    'Usage: sim-agent [options] [prompt]',
    '',
    'Options:',
    ...Object.keys(VALUES).map((flag) => `  ${flag} <value>`),
    ...Object.keys(SWITCHES).map((flag) => `  ${flag}`),
  ].join('\n');
}
