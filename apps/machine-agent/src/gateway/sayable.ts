/** Fits a host's report into the protocol's limits: the coordinator refuses a request as a whole, and one host must not silence the others. */
import { hostReport, type HostReport } from '@drover/protocol';

/** Bytes for one host: 20 keys of the longest kind that ssh-keygen makes (16,384 bits) fit into it, and 60 such hosts into one message. */
const REPORT_BYTES_MAX = 64 * 1024;

/** Returns the report; if the coordinator would refuse it, a report that says so of this host. */
export function sayable(report: HostReport): HostReport {
  const problem = problemOf(report);
  if (problem === undefined) return report;
  const { machineId, epoch } = report;
  const why = `reports facts that the gateway cannot pass on: ${problem}. Check its sshd and the directory of Drover on it`;
  return { machineId, epoch, state: { kind: 'lost', code: 'bad-host', why, retry: true }, findings: [] };
}

function problemOf(report: HostReport): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(report));
  if (bytes > REPORT_BYTES_MAX) return `${bytes} bytes, expected at most ${REPORT_BYTES_MAX}`;
  const [issue] = hostReport.safeParse(report).error?.issues ?? [];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
}
