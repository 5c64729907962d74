/** Report of a round for readers of its output: the place of the kill, and everything about a failure. */
import type { WhyView } from '@drover/api';
import type { RunningDrover } from '../../../../../tools/fleet/drover.ts';
import type { Job, Plan } from './round.ts';
import { now } from '../../../../../tools/fleet/wait.ts';
import { takenWith } from '../../../../../tools/fleet/witness.ts';

interface Round {
  readonly title: string;
  readonly jobs: readonly Job[];
  readonly plan: Plan;
}

/** Runs a round and prints a line about it. @throws the round's error, after everything known was printed. */
export async function reportOf(drover: RunningDrover, round: Round, run: () => Promise<void>): Promise<void> {
  const { title, plan } = round;
  const startedAt = now();
  const shares = plan.shares.map((share) => `${Math.round(share * 100)}%`).join(' ');
  try {
    await run();
  } catch (error) {
    console.log(`${title} failed: ${String(error)}\nkilled at ${shares}; ${JSON.stringify(plan.fates)}`);
    await tellAll(drover, round);
    throw error;
  }
  const seconds = ((now() - startedAt) / 1000).toFixed(1);
  const rules = await rulesAfterKills(drover, round);
  console.log(`${title}: killed at ${shares}, over in ${seconds} s; ${rules}`);
}

/** Counts the rules that resumed work: a round without any hit only quiet moments. */
async function rulesAfterKills({ fleet }: RunningDrover, { jobs }: Round): Promise<string> {
  const counts = new Map<string, number>();
  for (const { worker } of jobs) {
    for (const rule of sinceStart(await fleet.why(worker)).flatMap(({ rules }) => rules)) {
      if (
        !/^(unknown|verified|verify|delivery-unknown|refused|lost|partial|failed|adopt|session-gone|restore)/.test(rule)
      )
        continue;
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
  }
  const said = [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ');
  return said === '' ? 'nothing had to be taken up again' : said;
}

function sinceStart({ history }: WhyView): WhyView['history'] {
  const oldestFirst = history.toSorted((one, other) => one.id - other.id);
  const start = oldestFirst.findLastIndex(({ rules }) => rules.includes('start'));
  return oldestFirst.slice(Math.max(0, start));
}

async function tellAll({ fleet, site, processes }: RunningDrover, { jobs }: Round): Promise<void> {
  for (const { worker, words } of jobs) {
    const why = await fleet.why(worker).catch((error: unknown) => String(error));
    console.log(`--- ${worker}: ${typeof why === 'string' ? why : historyText(why)}`);
    console.log(JSON.stringify(takenWith(site.witnessed(), words).map(({ t, pid, sha256 }) => ({ t, pid, sha256 }))));
  }
  for (const [name, one] of Object.entries(processes)) console.log(`--- ${name}\n${one.tail(400)}`);
}

function historyText(why: WhyView): string {
  const lines = sinceStart(why).map(
    ({ at, kind, rules, from, to, said }) => `${at} ${kind} ${from}>${to} [${rules.join(' ')}] ${said.join(' | ')}`,
  );
  const state = { worker: why.worker, inFlight: why.inFlight, next: why.next, receipts: why.receipts };
  return `${lines.join('\n')}\n${JSON.stringify(state)}`;
}
