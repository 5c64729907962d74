/** Draws the frame of every page: navigation, the state of the line, and dialogs that keys open. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Inbox, Keyboard, LogOut, ScanSearch, Search, Server, Workflow } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { api, isSignedOut } from '../client/api.ts';
import { askSession } from '../client/browser-adapter.ts';
import { SessionContext, useFleet, useSession } from '../client/hooks.ts';
import { cardsOf, countsOf } from '../fleet/inbox.ts';
import { TaskForm, WorkerForm } from '../pages/inbox/new-work.tsx';
import { SignInPage } from '../pages/sign-in-page.tsx';
import { Button } from '../parts/button.tsx';
import { Failed, Loading } from '../parts/notices.tsx';
import { Help } from './help.tsx';
import { Line, StaleNotice } from './line.tsx';
import { NewBuild } from './new-build.tsx';
import { Palette } from './palette.tsx';
import type { Opened } from './palette.tsx';
import css from './shell.module.css';
import { useKeys } from './use-keys.ts';

// Nobody waits for the inbox until a form is loaded that nobody has asked for.
const NewRun = lazy(async () => ({ default: (await import('../pages/runs/new-run.tsx')).NewRun }));
const Invite = lazy(async () => ({ default: (await import('../pages/machines/invite.tsx')).Invite }));

export function Shell() {
  const session = useQuery({
    queryKey: ['session'],
    queryFn: () => api.session.show.query(),
    staleTime: Infinity,
  });
  if (session.isPending) return <Loading what="the fleet" />;
  if (session.isError && isSignedOut(session.error)) return <SignInPage />;
  if (session.isError) return <Failed error={session.error} onRetry={() => void session.refetch()} />;
  return (
    <SessionContext value={session.data}>
      <Frame />
    </SessionContext>
  );
}

function Frame() {
  const [dialog, setDialog] = useState<Opened | null>(null);
  const openPalette = useCallback(() => setDialog('palette'), []);
  const openHelp = useCallback(() => setDialog('help'), []);
  const close = (): void => setDialog(null);
  useKeys({ openPalette, openHelp });
  return (
    <>
      <a className={css.skip} href="#main">
        To the page
      </a>
      <header className={css.header}>
        <Link to="/" className={css.brand ?? ''}>
          DROVER
        </Link>
        <Pages />
        <div className={css.tools}>
          <Button tone="quiet" className={css.search} onClick={openPalette}>
            <Search size={15} aria-hidden="true" />
            <span>Jump or do anything</span>
            <kbd>Ctrl K</kbd>
          </Button>
          <Line />
          <Button tone="quiet" aria-label="Keys and settings" onClick={openHelp}>
            <Keyboard size={16} aria-hidden="true" />
          </Button>
          <SignOut />
        </div>
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <StaleNotice />
        <NewBuild />
        <Outlet />
      </main>
      {/* A form that comes late stands for nothing until it is there. */}
      <Suspense>
        {dialog === 'palette' ? <Palette onClose={close} onOpen={setDialog} /> : null}
        {dialog === 'help' ? <Help onClose={close} /> : null}
        {dialog === 'task' ? <TaskForm onClose={close} /> : null}
        {dialog === 'worker' ? <WorkerForm onClose={close} /> : null}
        {dialog === 'run' ? <NewRun onClose={close} /> : null}
        {dialog === 'invitation' ? <Invite onClose={close} /> : null}
      </Suspense>
    </>
  );
}

function Pages() {
  const fleet = useFleet();
  const waiting = cardsOf(fleet).length;
  const { toReview } = countsOf(fleet.workers.values());
  // A tab in the background tells how much waits.
  useEffect(() => {
    document.title = waiting === 0 ? 'Drover' : `(${waiting}) Drover`;
  }, [waiting]);
  const active = { className: css.active ?? '' };
  return (
    <nav className={css.pages} aria-label="Pages">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }} activeProps={active}>
        <Inbox size={16} aria-hidden="true" /> Inbox <Count of={waiting} what="wait for you" />
      </Link>
      <Link to="/review" activeProps={active}>
        <ScanSearch size={16} aria-hidden="true" /> Review <Count of={toReview} what="to review" />
      </Link>
      <Link to="/runs" activeProps={active}>
        <Workflow size={16} aria-hidden="true" /> Runs
      </Link>
      <Link to="/machines" activeProps={active}>
        <Server size={16} aria-hidden="true" /> Machines
      </Link>
    </nav>
  );
}

function Count({ of, what }: { readonly of: number; readonly what: string }) {
  if (of === 0) return null;
  return (
    <span className={css.count}>
      {of}
      <span className="only-spoken"> {what}</span>
    </span>
  );
}

function SignOut() {
  const { name } = useSession();
  return (
    <Button
      tone="quiet"
      title={`Signed in with the token ${name}`}
      aria-label="Sign out"
      onClick={() => void signOut()}
    >
      <LogOut size={16} aria-hidden="true" />
    </Button>
  );
}

async function signOut(): Promise<void> {
  await askSession('DELETE', {});
  location.assign('/sign-in');
}
