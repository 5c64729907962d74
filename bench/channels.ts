// Delivers texts by the channels of scripted Codex and OpenCode while every part is killed: the program's server and connection at each place of a
// delivery, Drover's process before and after the text was accepted. Counts texts that were lost, doubled or altered, and measures receipts.
//
// npm run bench -- channels [--smoke] [--set texts=10000] [--set seed=N]
import { play, ScriptedCodex, ScriptedOpenCode, TIMES, type ScriptedPeer } from '@drover/machine-agent/testing';
import type { Benchmark } from './src/benchmark.ts';
import { ms, percentile, table } from './src/table.ts';

/** Texts of each program, as the aim says together; the longest has 64 KB. */
const TEXTS = 10_000;
const BYTES_MAX = 65_536;
/** Texts of one conversation: each look at it may read all of them. */
const CONVERSATION = 100;
/** Aims for receipts, in milliseconds. */
const AIMS = { p50: 35, p99: 250 } as const;

const PEERS: Readonly<Record<string, (times: number) => Promise<ScriptedPeer>>> = {
  'codex app-server': (times) => ScriptedCodex.start(times),
  'opencode server': (times) => ScriptedOpenCode.start(times),
};

export const benchmark: Benchmark = {
  about: 'texts by the channels of scripted programs, with kills of every part: none lost, doubled or altered',
  run: async ({ smoke, settings }) => {
    const texts = Math.ceil(Number(settings['texts'] ?? (smoke ? 40 : TEXTS)) / Object.keys(PEERS).length);
    const seed = Number(settings['seed'] ?? 1);
    const rows: string[][] = [];
    let isRight = true;
    for (const [name, start] of Object.entries(PEERS)) {
      const counts = { lost: 0, doubled: 0, altered: 0 };
      const ways = { channel: 0, typed: 0, again: 0 };
      const receipts: number[] = [];
      for (let from = 0; from < texts; from += CONVERSATION) {
        await using peer = await start(TIMES);
        const game = { seed: seed + from, texts: Math.min(CONVERSATION, texts - from), bytesMax: BYTES_MAX };
        const played = await play(peer, game);
        const found = differences(played.wanted, peer.taken());
        for (const kind of ['lost', 'doubled', 'altered'] as const) counts[kind] += found[kind];
        for (const way of ['channel', 'typed', 'again'] as const) ways[way] += played.ways[way];
        receipts.push(...played.receiptMs);
      }
      const [p50, p99] = [percentile(receipts, 0.5), percentile(receipts, 0.99)];
      const isOne = counts.lost + counts.doubled + counts.altered === 0;
      isRight &&= isOne && (smoke || (p50 <= AIMS.p50 && p99 <= AIMS.p99));
      const { channel, typed, again } = ways;
      rows.push(
        [name, texts, channel, typed, again, counts.lost, counts.doubled, counts.altered, ms(p50), ms(p99)].map(String),
      );
    }
    const head = [
      'program',
      'texts',
      'by channel',
      'typed after all',
      'looked for again',
      'lost',
      'doubled',
      'altered',
      'p50',
      'p99',
    ];
    process.stdout.write(`${table(head, rows)}\n`);
    return isRight;
  },
};

/** Compares what a conversation must hold with what it holds. */
function differences(
  wanted: readonly string[],
  taken: readonly string[],
): { readonly lost: number; readonly doubled: number; readonly altered: number } {
  const counts = new Map<string, number>();
  for (const text of taken) counts.set(text, (counts.get(text) ?? 0) + 1);
  const known = new Set(wanted);
  return {
    lost: wanted.filter((text) => !counts.has(text)).length,
    doubled: [...counts].filter(([text, times]) => known.has(text) && times > 1).length,
    altered: [...counts.keys()].filter((text) => !known.has(text)).length,
  };
}
