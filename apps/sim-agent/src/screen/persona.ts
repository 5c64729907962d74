// Defines the looks of coding agents: every glyph, colour and text that differs between them, as data.

/** The looks of one coding agent. Colours are numbers of the 256-colour palette. */
export interface Persona {
  readonly name: string;
  /** The version it shows and writes into its files. */
  readonly version: string;
  /** Terminal title; it never changes while the program runs. */
  readonly title: string;
  readonly productName: string;
  readonly prompt: { readonly glyph: string; readonly shellGlyph: string; readonly gap: string };
  readonly answerGlyph: string;
  readonly detailGlyph: string;
  readonly ruleGlyph: string;
  readonly spinnerFrames: readonly string[];
  readonly spinnerVerbs: readonly string[];
  readonly doneVerbs: readonly string[];
  readonly logo: readonly string[];
  readonly tip: string;
  readonly colours: {
    readonly muted: number;
    readonly rule: number;
    readonly accent: number;
    readonly logo: number;
    readonly error: number;
    readonly warning: number;
    readonly success: number;
    readonly bright: number;
    readonly echoBackground: number;
    readonly thinRule: number;
  };
  readonly texts: {
    readonly interrupt: string;
    readonly shortcuts: string;
    readonly queuedPlaceholder: string;
    readonly queuedNote: string;
    readonly resendPlaceholder: string;
    readonly fixedPlaceholder: string;
    readonly interrupted: string;
    readonly shellHint: string;
    readonly effort: string;
    readonly killed: string;
    readonly exitArmed: (key: 'C' | 'D') => string;
    readonly clearArmed: string;
  };
  /** Footer for each permission mode. */
  readonly modes: Readonly<Record<PermissionMode, { readonly text: string; readonly alarming: boolean }>>;
}

/** Rights of the agent to act without asking. */
export type PermissionMode = 'default' | 'acceptEdits' | 'auto' | 'plan' | 'bypassPermissions';

/** Claude Code 2.1.330 in its full-screen renderer, as captured in November 2026. */
export const CLAUDE: Persona = {
  name: 'claude',
  version: '2.1.330',
  title: '✳ Claude Code',
  productName: 'Claude Code',
  prompt: { glyph: '❯', shellGlyph: '!', gap: '\u00A0' },
  answerGlyph: '●',
  detailGlyph: '⎿',
  ruleGlyph: '─',
  spinnerFrames: ['·', '✢', '*', '✶', '✻', '✽', '✻', '✶', '*', '✢'],
  spinnerVerbs: ['Creating', 'Warping', 'Incubating', 'Cultivating', 'Pondering', 'Simmering'],
  doneVerbs: ['Brewed', 'Cooked', 'Baked', 'Churned', 'Cogitated', 'Worked'],
  logo: [' ▐▛███▛█  ', '▝▜██████▀ ', ' ▝▝   ▝▝  '],
  tip: 'Tip: Press Enter to queue messages while Claude works',
  colours: {
    muted: 246,
    rule: 244,
    accent: 153,
    logo: 174,
    error: 211,
    warning: 220,
    success: 114,
    bright: 231,
    echoBackground: 237,
    thinRule: 239,
  },
  texts: {
    interrupt: 'esc to interrupt',
    shortcuts: '? for shortcuts',
    queuedPlaceholder: 'Press up to edit queued messages',
    queuedNote: 'Queued · ctrl+x ctrl+s to send now',
    resendPlaceholder: 'Resend your message to try again',
    fixedPlaceholder: 'Once fixed, resend your message',
    interrupted: 'Interrupted · What should Claude do instead?',
    shellHint: '! for shell mode',
    effort: '◐ medium · /effort',
    killed: 'ctrl+y to paste deleted text',
    exitArmed: (key) => `Press Ctrl-${key} again to exit`,
    clearArmed: 'Esc again to clear',
  },
  modes: {
    default: { text: '⏸ manual mode on', alarming: false },
    plan: { text: '⏸ plan mode on', alarming: false },
    acceptEdits: { text: '⏵⏵ accept edits on', alarming: false },
    auto: { text: '⏵⏵ auto mode on', alarming: false },
    bypassPermissions: { text: '⏵⏵ bypass permissions on', alarming: true },
  },
};

const PERSONAS: Readonly<Record<string, Persona>> = { claude: CLAUDE };

/** @returns the persona of that name, or undefined when there is none. */
export function personaNamed(name: string): Persona | undefined {
  return PERSONAS[name];
}
