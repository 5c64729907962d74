/** What can be said of a host? The coordinator refuses a request as a whole, and one host must not silence those beside it. */
import { hostReport, type HostReport } from '@drover/protocol';

/** Characters for one host: far more than 20 of the longest keys take, and 100 such hosts fit into one message. */
const REPORT_CHARS_MAX = 64 * 1024;

/** The report itself, or, where a host says of itself what nobody takes, that it does so. */
export function sayable(report: HostReport): HostReport {
  const problem = problemOf(report);
  if (problem === undefined) return report;
  const { machineId, epoch } = report;
  const why = `says of itself what cannot be told: ${problem}. Look at its sshd and at the directory of Drover on it`;
  return { machineId, epoch, state: { kind: 'lost', code: 'bad-host', why, retry: true }, findings: [] };
}

function problemOf(report: HostReport): string | undefined {
  const length = JSON.stringify(report).length;
  if (length > REPORT_CHARS_MAX) return `${length} characters, expected at most ${REPORT_CHARS_MAX}`;
  const [issue] = hostReport.safeParse(report).error?.issues ?? [];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
}
