/** Classifies a failure by the words of the tool. */

import type { Classification, FailureClass, ToolFailure } from './failure.ts';
import { linesOf, quotable, sortLines } from './lines.ts';
import { LAST_RULES } from './rules/permission-and-validation.ts';
import { phaseOf, resultIn } from './results.ts';
import { FIRST_RULES, type Rule } from './rules/network-limits-and-syntax.ts';

/** All rules in the order of the classes. */
export const RULES: readonly Rule[] = [...FIRST_RULES, ...LAST_RULES];

/** Exit codes that decide if nothing else does: timeout(1), and SIGKILL, mostly the OOM killer's. */
const BY_EXIT_CODE: Readonly<Record<number, { class: FailureClass; rule: string }>> = {
  124: { class: 'timeout', rule: 'exit-124' },
  137: { class: 'resource', rule: 'exit-137' },
};

/**
 * Words of a wrong call of the agent's own tools, or a wrong option for a program. The agent reads the message and repairs its call in its
 * next step, so the failure is logged as `unknown` and not filed as work, whatever words the message quotes.
 */
const MISUSE =
  /\bInputValidationError\b|String to replace not found|File has not been read yet|File has been (?:modified|unexpectedly modified) since|\b(?:unknown|unrecognized|unexpected) (?:option|argument|flag)s?\b|\binvalid option\b/i;

/** Words about a missing program. In the quality phase a gate cannot be judged without it. */
const MISSING_PROGRAM =
  /\bcommand not found\b|: not found$|\bspawn \S+ ENOENT\b|is not recognized as an internal or external command|executable file not found in \$PATH/;

/** Classifies the failure of a tool. Total: a failure that no rule knows is `unknown`. Equal texts always give equal answers. */
export function classifyToolFailure(failure: ToolFailure): Classification {
  const phase = phaseOf(failure);
  const text = linesOf(failure.text).join('\n');
  const result = resultIn(text, phase);
  if (result !== null) return { kind: 'result', rule: result.rule, phase, evidence: quotable(result.evidence) };

  const found = byRules(failure.text) ?? byExitCode(failure, text);
  if (found?.rule === 'compiler' && phase === 'quality') {
    return { kind: 'result', rule: 'findings', phase, evidence: found.evidence };
  }
  if (found !== null) return { kind: 'failure', phase, ...found };
  // A test command that only says "exit code 1" has found a red test.
  const last = quotable(text.split('\n').at(-1) ?? '');
  return phase === 'test'
    ? { kind: 'result', rule: 'tests-failed', phase, evidence: last }
    : { kind: 'failure', class: 'unknown', rule: 'no-rule', phase, evidence: last };
}

interface Found {
  readonly class: FailureClass;
  readonly rule: string;
  readonly evidence: string;
}

function byRules(text: string): Found | null {
  const { plain, diagnostics, weak } = sortLines(text);
  const misuse = plain.find((line) => MISUSE.test(line));
  if (misuse !== undefined) return { class: 'unknown', rule: 'agent-misuse', evidence: quotable(misuse) };
  const [diagnostic] = diagnostics;
  const strong = firstRule(plain);
  // A diagnostic is of class syntax; only the classes before it in the order come first.
  if (diagnostic !== undefined && (strong === null || !comesBeforeSyntax(strong.class))) {
    return { class: 'syntax', rule: 'compiler', evidence: quotable(diagnostic) };
  }
  const missing = plain.find((line) => MISSING_PROGRAM.test(line));
  if (strong !== null) return strong;
  if (missing !== undefined) return { class: 'unknown', rule: 'missing-program', evidence: quotable(missing) };
  return firstRule(weak);
}

function firstRule(lines: readonly string[]): Found | null {
  for (const { class: failureClass, name, pattern, unless } of RULES) {
    const line = lines.find((text) => pattern.test(text) && unless?.test(text) !== true);
    if (line !== undefined) return { class: failureClass, rule: name, evidence: quotable(line) };
  }
  return null;
}

function comesBeforeSyntax(failureClass: FailureClass): boolean {
  return failureClass === 'network' || failureClass === 'rate_limit' || failureClass === 'timeout';
}

function byExitCode({ exitCode }: ToolFailure, text: string): Found | null {
  const stated = /\bexit(?:ed with)?(?: code| status)?:? (\d{1,3})\b/i.exec(text)?.[1];
  const code = exitCode ?? (stated === undefined ? -1 : Number(stated));
  const known = BY_EXIT_CODE[code];
  return known === undefined ? null : { ...known, evidence: `exit code ${code}` };
}

/** Returns the key by which failures count as the same: class, tool, and the deciding line without its numbers and quoted names. */
export function failureSignature(tool: string, found: Classification): string {
  const what = found.kind === 'result' ? found.rule : found.class;
  const words = found.evidence
    .toLowerCase()
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '"…"')
    .replace(/0x[0-9a-f]+|\d+/g, '#');
  return `${what}|${tool}|${words}`;
}
