/** Decides which dialogs Drover answers by itself, and with which option (docs/recovery.md, dialogs). */
import type { AgentState, DialogOption } from '../agent-state.ts';

/** Answer to a dialog: the option that says yes, the one that says no, or a person's choice. */
export type DialogWish = 'ask' | 'allow' | 'deny';

/** Rule for a tool or kind of command. The first rule that matches decides. */
export interface DialogRule {
  /** The tool that asks, such as `Bash`; `*` for any. */
  readonly tool: string;
  /** The command, whole; `*` stands for anything. */
  readonly command: string;
  readonly wish: DialogWish;
}

/** Wishes for each kind of dialog. */
export interface DialogPolicy {
  readonly permission: DialogWish;
  readonly question: DialogWish;
  /** Dialogs of the program itself, other than those of its start. */
  readonly other: DialogWish;
  readonly rules: readonly DialogRule[];
  /** Times that the same dialog is answered within one task; then a person is asked. */
  readonly answersMax: number;
}

type Asking = Extract<AgentState, { kind: 'question' | 'permission' | 'dialog' }>;

/** Returns the policy's wish for a dialog. */
export function dialogRule(policy: DialogPolicy, state: Asking): DialogWish {
  if (state.kind === 'question') return policy.question;
  if (state.kind === 'dialog') return policy.other;
  const rule = policy.rules.find(
    ({ tool, command, wish }) =>
      (tool === '*' || tool.toLowerCase() === state.tool.toLowerCase()) &&
      matchesCommand(command, state.command) &&
      !(wish === 'allow' && reachesFurther(command, state.command)),
  );
  return rule?.wish ?? policy.permission;
}

const YES = /^(?:yes|allow|approve|accept|proceed|continue|ok|run)\b/iu;
const NO = /^(?:no|deny|reject|decline|cancel|don['’]t)\b/iu;
const FOR_EVER = /\b(?:always|don['’]t ask|all|every|session|remember|similar)\b/iu;

/** Tells whether an option grants more than this one time. */
export function grantsMore(label: string): boolean {
  return FOR_EVER.test(label);
}

/** Returns the label of the option that says so, for this one time; null when none does, and then a person is asked. */
export function chooseLabel(options: readonly DialogOption[], wish: 'allow' | 'deny'): string | null {
  const says = wish === 'allow' ? YES : NO;
  const fitting = options.filter(({ label }) => says.test(label.trim()));
  const once = wish === 'allow' ? fitting.filter(({ label }) => !grantsMore(label)) : fitting;
  return once[0]?.label ?? null;
}

/** Tells whether a command holds shell operators that its pattern does not: `npm test *` allows no `npm test; rm x`. */
function reachesFurther(pattern: string, command: string): boolean {
  return pattern.includes('*') && SHELL_OPERATORS.test(command) && !SHELL_OPERATORS.test(pattern);
}

const SHELL_OPERATORS = /[;&|<>`$\n\r]/u;

/** Matches the whole text, case-sensitive; `*` stands for any characters. Linear: no pattern can make it slow. */
function matchesCommand(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
