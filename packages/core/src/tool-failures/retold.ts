/**
 * Rewrites the parts of a report that are passed on. Any program that runs as the worker's user can write the report's file, also an agent
 * that was talked into it. So titles and advice are made again here, of the class, of names in a narrow form, and of one quoted line: no
 * report can put a prompt into another agent's hands, or a command before a person.
 */
import { NETWORK_CHECKS } from '../taxonomy/wording.ts';
import { exhaustedResource } from './facts.ts';
import { missingPermission } from './grants.ts';
import { quotable } from './lines.ts';
import type { ToolFailureReport } from './report.ts';

const PROGRAM = /^[\w./@-]{1,60}(?: [\w./@-]{1,60})?$/;
const PATH = /^[\w./@+-]{1,200}$/;
const FIELD = /^Fix the invalid value of ([\w.[\]-]{1,80})$/;
const HOST = /^[\w.-]{1,100}$/;

/** Returns the program or tool, for titles. */
export function programOf({ name }: ToolFailureReport): string {
  return PROGRAM.test(name) ? name : 'A tool';
}

/** Returns the deciding line: one line, cut, without plain secrets. */
export function quotedLine({ evidence }: ToolFailureReport): string {
  return quotable(evidence);
}

/** Returns the place that a work item names, if it has the form of one. */
export function placeOf({ action }: ToolFailureReport): string | null {
  const location = action.kind === 'queue' ? action.item.location : null;
  return location !== null && PATH.test(location.file) ? `${location.file}:${location.line}` : null;
}

/** Returns the action in a line: the title of a work item. */
export function itemTitle(report: ToolFailureReport): string {
  const program = programOf(report);
  switch (report.class) {
    case 'syntax':
      return `Fix the syntax error in ${placeOf(report) ?? program}`;
    case 'validation': {
      const field = report.action.kind === 'queue' ? FIELD.exec(report.action.item.title)?.[1] : undefined;
      return field === undefined ? `Fix the invalid input of ${program}` : `Fix the invalid value of ${field}`;
    }
    case 'findings':
      return `Quality gate failed: ${program}`;
    default:
      return `${program} keeps failing: ${report.class.replace('_', ' ')}`;
  }
}

/** Text for a person. */
export interface Told {
  readonly title: string;
  readonly needed: string;
  readonly remediation: readonly string[];
}

/** Words, for a person, a failure that only a person can help. */
export function toldToPerson(report: ToolFailureReport): Told {
  const program = programOf(report);
  const line = quotedLine(report);
  switch (report.class) {
    case 'permission': {
      const { needed, grant } = missingPermission(line, line);
      return { title: `Permission denied: ${program}`, needed, remediation: grant };
    }
    case 'resource': {
      const needed = exhaustedResource(line, line);
      return { title: `Resource exhausted: ${needed}`, needed, remediation: [`Free ${needed} on the machine.`] };
    }
    case 'network':
      return {
        title: `${program} has no connection`,
        needed: 'a connection to the server that it calls',
        remediation: [NETWORK_CHECKS],
      };
    case 'rate_limit':
    case 'external':
      return {
        title: `${program} is blocked: ${serviceOf(report)} rejects its requests`,
        needed: 'the service, when it works again',
        remediation: ['Check whether the service has an outage, or the account a limit.'],
      };
    default:
      return isGateWithoutTool(report)
        ? {
            title: `Quality gate skipped: ${program} cannot run`,
            needed: 'the program that the gate needs',
            remediation: ['Install it on the machine, or remove the gate from the project.'],
          }
        : {
            title: `${program} keeps failing in the same way`,
            needed: 'a person who understands this error',
            remediation: ['Check what the worker is doing, and tell it what to do instead.'],
          };
  }
}

function serviceOf({ pauseAccount }: ToolFailureReport): string {
  const service = pauseAccount?.service ?? '';
  return HOST.test(service) ? service : 'the service';
}

function isGateWithoutTool({ rule, phase }: ToolFailureReport): boolean {
  return rule === 'missing-program' && phase === 'quality';
}
