/** Computes how much of a run is lost, from the facts of its stages. Nothing stores a level. */
import { allItems, planOf } from './find.ts';
import { isOver } from './run.ts';
import type { Run, StageState } from './run.ts';

/** `full`: no loss; `reduced`: some loss; `minimal`: no work but an author's is left; `failed`: the run cannot go on. */
export type DegradationLevel = 'full' | 'reduced' | 'minimal' | 'failed';

/** Something that a run can still do. */
export type Capability = 'research' | 'plan' | 'build' | 'check' | 'review' | 'merge';

export interface Loss {
  /** Name of the stage, or of the account. */
  readonly what: string;
  /** Sentences for people: what happened, what that means, what helps. */
  readonly message: string;
  readonly impact: string;
  readonly help: string;
}

export interface Degradation {
  readonly level: DegradationLevel;
  readonly losses: readonly Loss[];
  /** True if work lacks a review that its flow has. */
  readonly isUnverified: boolean;
  readonly skipped: readonly string[];
  readonly partial: readonly string[];
  readonly capabilities: readonly Capability[];
}

export function degradationOf(run: Run): Degradation {
  const stages = run.stages.filter(({ name }) => !run.terms.skip.includes(name));
  const losses = [...stages.flatMap((stage) => lossOf(run, stage)), ...limitsOf(run)];
  const lost = capabilitiesOf(run, stages.filter(isLost));
  const all = capabilitiesOf(run, stages);
  const capabilities = run.status === 'failed' ? [] : all.filter((one) => !lost.includes(one));
  return {
    level: levelOf(run, losses, { all, capabilities }),
    losses,
    isUnverified: stages.some((stage) => isLost(stage) && planOf(run, stage.name).kind === 'review'),
    skipped: namesOf(stages, 'skipped'),
    partial: [...namesOf(stages, 'partial'), ...namesOf(stages, 'over-budget')],
    capabilities,
  };
}

/** Tells whether a run can still do something. */
export function isFeatureAvailable(run: Run, feature: Capability): boolean {
  return degradationOf(run).capabilities.includes(feature);
}

function namesOf(stages: readonly StageState[], as: string): readonly string[] {
  return stages.filter(({ settled }) => settled?.as === as).map(({ name }) => name);
}

function isLost({ settled }: StageState): boolean {
  return settled !== null && settled.as !== 'passed';
}

function levelOf(
  run: Run,
  losses: readonly Loss[],
  { all, capabilities }: { readonly all: readonly Capability[]; readonly capabilities: readonly Capability[] },
): DegradationLevel {
  if (run.status === 'failed' || run.ending?.as === 'failed') return 'failed';
  if (losses.length === 0) return 'full';
  const helpers = (of: readonly Capability[]): number =>
    of.filter((one) => one === 'research' || one === 'review').length;
  return helpers(all) > 0 && helpers(capabilities) === 0 ? 'minimal' : 'reduced';
}

function lossOf(run: Run, { name, settled }: StageState): readonly Loss[] {
  if (settled === null || settled.as === 'passed') return [];
  const { kind } = planOf(run, name);
  const impact = kind === 'review' ? 'The work is not verified: read it before you merge it.' : IMPACTS[settled.as];
  const help = isOver(run) ? `drover run retry ${run.terms.id} --from ${name}` : `drover run why ${run.terms.id}`;
  return [{ what: name, message: `Stage ${name} is ${settled.as}: ${settled.why}`, impact, help }];
}

const IMPACTS = {
  skipped: 'What it would have given is missing.',
  partial: 'Its work is not whole: its merge needs a yes to that commit.',
  'over-budget': 'Its work is kept, and was not checked.',
  failed: 'The stages after it cannot begin.',
} as const;

function limitsOf(run: Run): readonly Loss[] {
  if (isOver(run)) return [];
  return Object.entries(run.limited).flatMap(([account, until]) => {
    const waiting = allItems(run).filter(({ progress, worker }) => {
      const waits = progress.kind === 'waiting' && progress.account === account;
      return waits || (progress.kind === 'running' && worker?.account === account);
    });
    if (waiting.length === 0) return [];
    const message = `Account ${account} is limited${until === null ? '' : ` until ${until}`}.`;
    const impact = `${waiting.map(({ name }) => name).join(', ')} wait for it, and lose nothing.`;
    return [{ what: account, message, impact, help: 'Nothing to do: the run goes on when the limit ends.' }];
  });
}

/** Names what stages are for. */
function capabilitiesOf(run: Run, stages: readonly StageState[]): readonly Capability[] {
  return [...new Set(stages.map(({ name }) => capabilityOf(run, name)))].filter((one) => one !== null);
}

function capabilityOf(run: Run, name: string): Capability | null {
  const plan = planOf(run, name);
  switch (plan.kind) {
    case 'task':
    case 'each':
      return ({ commit: 'build', parts: 'plan', report: 'research' } as const)[plan.returns];
    case 'join':
      return 'build';
    case 'check':
    case 'review':
      return plan.kind;
    case 'accept':
      return 'merge';
    case 'gate':
      return null;
  }
}

const HEADLINES: Readonly<Record<DegradationLevel, string>> = {
  full: 'Everything works.',
  reduced: 'The run goes on with losses.',
  minimal: 'The run goes on with its authors alone.',
  failed: 'The run cannot go on.',
};

/** Returns some lines for people: the state, the losses, and what is left. */
export function degradationSummary({ level, losses, isUnverified, capabilities }: Degradation): string {
  return [
    HEADLINES[level],
    ...losses.flatMap(({ message, impact, help }) => [`- ${message} ${impact}`, `  ${help}`]),
    ...(isUnverified ? ['The work is not verified.'] : []),
    ...(level === 'full' ? [] : [`Still possible: ${capabilities.join(', ') || 'nothing'}.`]),
  ].join('\n');
}
