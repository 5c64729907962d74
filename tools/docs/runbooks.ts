// Writes docs/reference/runbooks.md, an entry for each error code, from the taxonomy: `npm run docs`.
import { ERROR_CODES, ERRORS } from '@drover/core';
import type { ErrorCode, ErrorContext, ErrorDefinition } from '@drover/core';

/** Names for the placeholders of commands. */
const ABOUT: ErrorContext = { worker: 'WORKER', machine: 'MACHINE', project: 'PROJECT', run: 'RUN', stage: 'STAGE' };

const FIRST: Readonly<Record<ErrorDefinition['kind'], string>> = {
  transient: 'Drover tries again by itself.',
  systematic: 'Drover tries another way by itself.',
  fatal: 'Drover stops here and asks you.',
  'needs-person': 'Nothing is broken: Drover waits for your answer.',
};

/** The whole text of docs/reference/runbooks.md. */
export function runbooksPage(): string {
  return `${[HEAD, ...ERROR_CODES.map(entry)].join('\n\n')}\n`;
}

const HEAD = `# Runbooks

<!-- Written by \`npm run docs\` from packages/core/src/taxonomy: change it there. -->

\`drover report errors\` lists errors with their codes, \`drover report error ID\` shows one with what Drover did about it. Here is what each code
means, and what you can look at and do, the best first. [The reference of recovery](../recovery-reference.md) has Drover's own steps.`;

function entry(code: ErrorCode): string {
  const { message, kind, remediation } = ERRORS[code];
  const steps = remediation(ABOUT).map(
    (step) => `- ${/^(?:drover|sudo|brew|git) /u.test(step) ? `\`${step}\`` : step}`,
  );
  return [`## ${code}`, `${message(ABOUT).replace(/\.?$/u, '.')} ${FIRST[kind]}`, steps.join('\n')].join('\n\n');
}
