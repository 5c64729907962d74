// Writes the numbers of the policy as text. docs/recovery-reference.md must hold each of them.
import { DEFAULT_POLICY, type Policy } from '@drover/core';
import { readText } from '../checks/source/rooms.ts';
import { parseSource } from '../checks/source/source.ts';
import { childOf, nameOf, walk, type AnyNode } from '../checks/source/walk.ts';
import { MEANING } from './policy-meaning.ts';

/** Lists one piece of text for each number of the policy. Runs of spaces count as one. */
export function policyWords(policy: Policy = DEFAULT_POLICY): readonly string[] {
  const rungs = ladderRows(policy).map((cells) => `| ${cells.join(' | ')} |`);
  const numbers = numberRows(policy).map(([name, value]) => `| ${name} | ${value} |`);
  return [...rungs, ...timeLimits(policy), ...numbers];
}

/** The rungs of the ladder of lost input, a row each. */
export function ladderRows({ lostInput }: Policy): readonly (readonly string[])[] {
  return lostInput.map(({ waitMs, method, settleMs, respawn }, index) => [
    String(index + 1),
    duration(waitMs),
    `\`${method}\``,
    duration(settleMs),
    respawn ? 'yes' : 'no',
  ]);
}

/** Lists the time limit of each command to a machine. */
export function timeLimits({ command }: Policy): readonly string[] {
  return Object.entries(command.timeoutMs).map(([kind, ms]) => `\`${kind}\` ${duration(ms)}`);
}

/**
 * All other numbers: name, value and meaning.
 * @throws {Error} when a number has no meaning, or a meaning no number.
 */
export function numberRows(policy: Policy): readonly (readonly [string, string, string])[] {
  const { lostInput: _ladder, toolFailures: _classes, command, ...others } = policy;
  const { timeoutMs: _limits, ...commands } = command;
  const numbers = leaves({ ...others, command: commands });
  const names = new Set(numbers.map(([name]) => name));
  const strays = Object.keys(MEANING).filter((name) => !names.has(name));
  if (strays.length > 0) throw new Error(`tools/docs/policy-meaning.ts tells of ${strays.join(', ')}: no such number`);
  return numbers.map(([name, value]) => [`\`${name}\``, inWords(name, value), meaningOf(name)]);
}

/** The number of this dotted name, as the pages write it; null: the policy has none of that name. */
export function valueInWords(name: string, policy: Policy = DEFAULT_POLICY): string | null {
  const found = leaves(policy).find(([known]) => known === name);
  return found === undefined ? null : inWords(...found);
}

function meaningOf(name: string): string {
  const meaning = MEANING[name] ?? commentOf(name);
  if (meaning === null) throw new Error(`"${name}" has no meaning: write a comment at it in ${POLICY_FILE}`);
  return meaning;
}

const POLICY_FILE = 'packages/core/src/policy/policy.ts';

/**
 * The comment right above a number, where the text of `Policy` declares it; null: it has none.
 * @param name Dotted, such as `storm.quietMs`.
 */
export function commentOf(name: string, text: string = readText(POLICY_FILE)): string | null {
  const { program, comments } = parseSource(POLICY_FILE, text);
  let found: string | null = null;
  walk(program, (node) => {
    if (node.type !== 'TSInterfaceDeclaration' || nameOf(childOf(node, 'id')) !== 'Policy') return;
    let at: AnyNode | null = node;
    for (const part of name.split('.')) at = memberOf(at, part);
    const start = at?.start ?? -1;
    const above = comments.find((it) => it.end <= start && text.slice(it.end, start).trim() === '');
    found =
      above === undefined
        ? null
        : above.value
            .replaceAll(/^\*|\s*\n\s*\*/gu, ' ')
            .replaceAll(/\s+/gu, ' ')
            .trim();
  });
  return found;
}

function memberOf(holder: AnyNode | null, name: string): AnyNode | null {
  let found: AnyNode | null = null;
  walk(holder, (node) => {
    if (node.type === 'TSPropertySignature' && nameOf(childOf(node, 'key')) === name) found ??= node;
  });
  return found;
}

function leaves(tree: object, prefix = ''): readonly (readonly [string, number])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const name = `${prefix}${key}`;
    if (typeof value === 'number') return [[name, value] as const];
    return typeof value === 'object' && value !== null ? leaves(value, `${name}.`) : [];
  });
}

function inWords(name: string, value: number): string {
  return name.endsWith('Ms') ? duration(value) : String(value);
}

/** A span of time as the pages write it: up to two minutes in seconds. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms <= 120_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
