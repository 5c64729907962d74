// Tells which demos there are, and prints their words before and after.
import { DROVER } from '../fleet/program.ts';
import { playChat } from './chat.ts';
import type { Page } from './page.ts';
import type { Place } from './place.ts';
import { playRun } from './run.ts';
import type { Played, Stage } from './stage.ts';
import { playTasks } from './tasks.ts';
import { playTeam } from './team/story.ts';

/** Printed by `--help`. */
export const HELP = `npm run demo [-- --keep] [-- --chat | --fleet | --run]

Shows Drover at work on two simulated coding agents, in a temporary directory, in less than a minute.

  --keep    leave Drover running and its directory in place, to look around
  --chat    a person in a scripted Telegram gives work, is asked, and accepts: with the real bot, without an account
  --fleet   what a team has, on this one computer: two coordinators, a machine with an agent, two that only ssh reaches,
            two gateways and two repositories; a link is cut, a gateway and a coordinator are killed (needs openssh-server)
  --run     a goal is split into four parts by a run: an account runs dry, an agent crashes, a review is stale`;

export interface Demo {
  readonly begins: string;
  readonly play: (stage: Stage) => Promise<Played>;
  /** Name of what was seen, and what comes next, in the last line. */
  readonly was: string;
  readonly next: string;
}

export const DEMOS: Readonly<Record<'tasks' | 'chat' | 'fleet' | 'run', Demo>> = {
  tasks: {
    begins: `Drover keeps coding agents at work. Here it looks after two, in real tmux sessions and git worktrees.
The agents are simulated: no account, no network, no tokens. Everything lies in`,
    play: playTasks,
    was: 'Drover',
    next: `With a real agent, in a repository of yours:

  alias drover=${DROVER}
  drover init                        # a root beside the repository, with drover.toml
  cd ../YOUR-REPOSITORY-drover
  drover up                          # leave it running; the rest in another terminal
  drover add adam                    # Claude Code; others: --profile codex | opencode | gemini
  drover start --worker adam --prompt "Fix the flaky test"
  drover status --watch              # then: drover review, drover reject, drover accept`,
  },
  chat: {
    begins: `Drover asks people where they are. Here "ada" is asked in a Telegram that this program plays on loopback:
Drover, its bot, tmux and git are real; the agent and Telegram are not. Everything lies in`,
    play: playChat,
    was: 'a question on its way',
    next: 'With your own phone: docs/chat.md.',
  },
  fleet: {
    begins: `Drover keeps coding agents at work on many computers. Here this one plays five of them: each has a home of its
own, and two have nothing of Drover, only an sshd. The agents are simulated: no account, no tokens. Everything lies in`,
    play: playTeam,
    was: 'a fleet',
    next: 'With your own: "More than one machine" and "Machines over SSH" in README.md.',
  },
  run: {
    begins: `A run carries one goal through stages: plan, parts, join, check, review, merge. Here a person edits the plan,
and then an account runs dry, an agent crashes and a review is stale. The agents are simulated; Drover, tmux
and git are real. Everything lies in`,
    play: playRun,
    was: 'a run',
    next: 'When one is worth it: docs/guides/runs.md.',
  },
};

/** The first lines. */
export function prologue(page: Page, { begins }: Demo, { base, keep }: { base: string; keep: boolean }): void {
  page.text(`${begins}\n${base} and is ${keep ? 'kept' : 'gone'} afterwards.`);
}

/** The last lines: promises that were kept. */
export function conclude(page: Page, { was, next }: Demo, kept: readonly string[]): void {
  page.chapter('As promised');
  for (const promise of kept) page.text(`✓ ${promise}`, 'good');
  page.chapter(`That was ${was}, in ${page.elapsed} s. ${next}`);
}

/** Prints the places of everything that `--keep` kept. */
export function farewellKept(page: Page, { base }: Place): void {
  page.chapter('Kept, as you asked');
  page.text(`. ${base}/env          # then, in that shell:
drover status; drover why adam; drover attach adam
drover down; rm -rf ${base}`);
}
