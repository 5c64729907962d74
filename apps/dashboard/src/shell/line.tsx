/** Shows whether the page is current: the age of what was heard last. */
import { now } from '../client/browser-adapter.ts';
import { useFleet, useTimed } from '../client/hooks.ts';
import { isStale } from '../fleet/rows.ts';
import { spanText } from '../fleet/text.ts';
import parts from '../parts/parts.module.css';
import css from './shell.module.css';

export function Line() {
  const fleet = useFleet();
  const { line, heardAt } = fleet;
  const stale = useTimed(() => isStale(fleet, now()));
  const text = useTimed(() => {
    if (line.kind === 'over') return 'signed out';
    if (heardAt === null) return 'connecting…';
    if (stale) return `not heard for ${spanText(now() - heardAt)}`;
    return line.kind === 'open' ? 'live' : 'reconnecting…';
  });
  return (
    <span className={stale || line.kind === 'over' ? css.stale : css.live} role="status">
      <span className={css.dot} aria-hidden="true" />
      {text}
    </span>
  );
}

/** Says above the page that what it shows is old, and since when. */
export function StaleNotice() {
  const fleet = useFleet();
  const stale = useTimed(() => isStale(fleet, now()));
  if (fleet.line.kind === 'over')
    return (
      <p className={`${parts.alert} ${css.notice}`} role="alert">
        {fleet.line.message}. <a href="/sign-in">Sign in again</a>
      </p>
    );
  if (!stale || fleet.at === null) return null;
  return (
    <p className={`${parts.alert} ${css.notice}`} role="alert">
      The coordinator is not heard. This page shows the fleet as of {new Date(fleet.at).toLocaleTimeString()}; orders
      wait until the line is back.
    </p>
  );
}
