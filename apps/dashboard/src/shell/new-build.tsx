/** Offers to load the page again once the coordinator serves another build. What was written stays. */
import { useQuery } from '@tanstack/react-query';
import { ownScript, reload, servedPage } from '../client/browser-adapter.ts';
import { useFleet } from '../client/hooks.ts';
import { isNewBuild } from '../fleet/build.ts';
import { Button } from '../parts/button.tsx';
import css from './shell.module.css';

/** Milliseconds between two requests; each new line asks too, because a coordinator that starts may be another build. */
const ASK_EVERY_MS = 5 * 60_000;

export function NewBuild() {
  const { line } = useFleet();
  const isNew = useQuery({
    queryKey: ['build', line.kind],
    queryFn: async () => isNewBuild(ownScript(), await servedPage()),
    enabled: line.kind === 'open',
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  if (isNew.data !== true) return null;
  return (
    <div className={css.newBuild} role="status">
      The coordinator serves a new build of these pages. What you have written stays.
      <Button onClick={reload}>Reload</Button>
    </div>
  );
}
