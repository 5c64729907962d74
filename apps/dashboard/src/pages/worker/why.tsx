/** Says why a worker is as it is, what comes next, and what a person can do. */
import type { WhyView } from '@drover/api';
import { useSeconds, timeNow } from '../../client/hooks.ts';
import { spanText } from '../../fleet/text.ts';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './worker.module.css';

export function Why({ why }: { readonly why: WhyView }) {
  const { because, about, inFlight, next, receipts } = why;
  const seconds = useSeconds();
  const now = Math.max(seconds, timeNow());
  const [receipt] = receipts;
  return (
    <aside className={css.why} aria-label="Why">
      <h2>Because</h2>
      <Lines of={because} none="Drover has decided nothing about it yet." />
      {about.length === 0 ? null : (
        <details>
          <summary>More, with the commands</summary>
          <Lines of={about} none="" />
        </details>
      )}
      <h2>Next</h2>
      {inFlight === null ? null : (
        <p>
          <Text of={inFlight.command} /> since {spanText(now - inFlight.since)}
        </p>
      )}
      <Lines
        of={next.map(({ at, meaning }) => `in ${spanText(at - now)}: ${meaning}`)}
        none="Nothing is due: it waits for its agent or for a person."
      />
      {receipt === undefined ? null : (
        <>
          <h2>Typed last</h2>
          <p>
            <Text of={receipt.purpose} />: <Text of={receipt.outcome} />, {receipt.bytes} bytes,{' '}
            {spanText(now - receipt.at)} ago
          </p>
          <Lines of={receipt.evidence} none="" />
        </>
      )}
    </aside>
  );
}

function Lines({ of, none }: { readonly of: readonly string[]; readonly none: string }) {
  if (of.length === 0) return none === '' ? null : <p className={parts.dim}>{none}</p>;
  return (
    <ul>
      {of.map((line) => (
        <li key={line}>
          <Text of={line} />
        </li>
      ))}
    </ul>
  );
}
