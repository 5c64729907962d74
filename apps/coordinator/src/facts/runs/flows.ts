/** Finds flows: those of Drover, and those that a request brings. */
import { createHash } from 'node:crypto';
import { BUILT_IN_FLOWS, parseFlow } from '@drover/config';
import { flowNotFound } from '@drover/core';
import type { Flow, Stage } from '@drover/core';
import type { FlowView, Refusal } from '@drover/api';
import { refused } from '../../context/refused.ts';

/** A flow with the text that says it. */
export interface FoundFlow {
  readonly kind: 'flow';
  readonly flow: Flow;
  readonly text: string;
  /** Names the text. */
  readonly digest: string;
  /** True if the text came with the request. */
  readonly isOwn: boolean;
}

/** Finds a flow by its name, or reads the given text. Refuses with `not-found` (WORKFLOW_NOT_FOUND), or `invalid` with each line at fault. */
export function flowOf(name: string, own: string | undefined): FoundFlow | Refusal {
  const known = Object.hasOwn(BUILT_IN_FLOWS, name) ? BUILT_IN_FLOWS[name] : undefined;
  const text = own ?? known;
  if (text === undefined) {
    const { code, message } = flowNotFound(name, Object.keys(BUILT_IN_FLOWS));
    return refused('not-found', `${code}: ${message}`);
  }
  const parsed = parseFlow(text, { name });
  if (parsed.kind === 'invalid')
    return refused('invalid', `The flow "${name}" is wrong:\n${parsed.problems.join('\n')}`);
  const digest = createHash('sha256').update(text).digest('hex');
  return { kind: 'flow', flow: parsed.flow, text, digest, isOwn: own !== undefined };
}

export function flowViewOf({ flow, text }: FoundFlow): FlowView {
  return {
    name: flow.name,
    about: aboutOf(text),
    inputs: Object.keys(flow.inputs),
    stages: flow.stages.map(({ name, kind }) => `${name} (${kind})`),
    text,
  };
}

/** Returns the first comment of the text. */
function aboutOf(text: string): string {
  return /^#\s*(?<about>.+)$/mu.exec(text)?.groups?.['about'] ?? '';
}

/** Describes a stage in words. */
export function stageWords(stage: Stage): string {
  switch (stage.kind) {
    case 'task':
      return `a ${stage.role} returns ${stage.returns === 'commit' ? 'a commit' : stage.returns}${checksOf(stage.check)}, ${tries(stage.tries)}`;
    case 'each':
      return stage.over.kind === 'times'
        ? `${stage.over.times} agents, each alone, return ${stage.returns === 'commit' ? 'commits' : 'reports'}`
        : `a ${stage.role} for each part of "${stage.over.stage}"${checksOf(stage.check)}, ${tries(stage.tries)}`;
    case 'join':
      return `the commits of "${stage.of}" become one candidate${checksOf(stage.check)}`;
    case 'check':
      return `the commit of "${stage.of}"${checksOf(stage.check)}`;
    case 'review':
      return `${stage.profile === 'other' ? 'another profile' : 'a reviewer'} reviews "${stage.of}", at most ${stage.rounds} rounds`;
    case 'gate':
      return `a person (${stage.who}) says yes to "${stage.of}"`;
    case 'accept':
      return `a person accepts "${stage.of}", and it is merged`;
    default:
      return stage satisfies never;
  }
}

function checksOf(check: readonly string[] | null): string {
  if (check === null) return '';
  return check.length === 0 ? ', checked by the checks of the project' : `, checked by ${check.join('; ')}`;
}

function tries(count: number): string {
  return count === 1 ? 'one try' : `${count} tries`;
}
