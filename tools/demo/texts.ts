// Prints the demo's words before and after.
import { DROVER, type Place } from './place.ts';
import type { Page } from './page.ts';

/** Printed by `--help`. */
export const HELP = `npm run demo [-- --keep] [-- --chat | --fleet | --run]

Shows Drover at work on two simulated coding agents, in a temporary directory, in less than a minute.

  --keep    leave Drover running and its directory in place, to look around
  --chat    a person in a scripted Telegram gives work, is asked, and accepts: with the real bot, without an account
  --fleet   what a team has, on this one computer: two coordinators, a machine with an agent, two that only ssh reaches,
            two gateways and two repositories; a link is cut, a gateway and a coordinator are killed (needs openssh-server)
  --run     a goal is split into four parts by a run: an account runs dry, an agent crashes, a review is stale`;

/** The first lines. */
export function prologue(page: Page, { base }: Place, { keep }: { keep: boolean }): void {
  page.text('Drover keeps coding agents at work. Here it looks after two, in real tmux sessions and git worktrees.');
  page.text('The agents are simulated: no account, no network, no tokens. Everything lies in');
  page.text(`${base} and is ${keep ? 'kept' : 'gone'} afterwards.`);
}

/** The first lines of the demo of a chat. */
export function prologueInChat(page: Page, { base }: Place, { keep }: { keep: boolean }): void {
  page.text(
    'Drover asks people where they are. Here "ada" is asked in a Telegram that this program plays on loopback:',
  );
  page.text('Drover, its bot, tmux and git are real; the agent and Telegram are not. Everything lies in');
  page.text(`${base} and is ${keep ? 'kept' : 'gone'} afterwards.`);
}

/** The first lines of the demo of a team. */
export function prologueOfTeam(page: Page, { base }: Place): void {
  page.text(
    'Drover keeps coding agents at work on many computers. Here this one plays five of them: each has a home of its',
  );
  page.text(
    'own, and two have nothing of Drover, only an sshd. The agents are simulated: no account, no tokens. Everything',
  );
  page.text(`lies in ${base} and beside it, and is gone afterwards.`);
}

/** Prints what was kept, and what it was: `That was …, in 20 s.` */
export function conclude(page: Page, kept: readonly string[], { was, next }: { was: string; next: string }): void {
  page.chapter('As promised');
  for (const promise of kept) page.text(`✓ ${promise}`, 'good');
  page.chapter(`That was ${was}, in ${page.elapsed} s. ${next}`);
}

/** The last lines of the demo on one laptop. */
export function epilogue(page: Page, kept: readonly string[]): void {
  conclude(page, kept, { was: 'Drover', next: 'With a real agent, in a repository of yours:' });
  page.text(
    [
      `alias drover=${DROVER}`,
      'drover init                        # a root beside the repository, with drover.toml',
      'cd ../YOUR-REPOSITORY-drover',
      'drover up                          # leave it running; the rest in another terminal',
      'drover add adam                    # Claude Code; others: --profile codex | opencode | gemini',
      'drover start --worker adam --prompt "Fix the flaky test"',
      'drover status --watch              # then: drover review, drover reject, drover accept',
    ].join('\n'),
  );
}

/** Prints the places of everything that `--keep` kept. */
export function farewellKept(page: Page, directories: readonly string[]): void {
  const [base = ''] = directories;
  page.chapter('Kept, as you asked');
  page.text(
    [
      `. ${base}/env          # then, in that shell:`,
      'drover status; drover why adam; drover attach adam',
      `drover down; rm -rf ${directories.join(' ')}`,
    ].join('\n'),
  );
}

/** The first lines of the demo of a run. */
export function prologueOfRun(page: Page, { base }: Place): void {
  page.text(
    'A run carries one goal through stages: plan, parts, join, check, review, merge. Here a person edits the plan,',
  );
  page.text(
    'and then an account runs dry, an agent crashes and a review is stale. The agents are simulated; Drover, tmux',
  );
  page.text(`and git are real. Everything lies in ${base} and is gone afterwards.`);
}
