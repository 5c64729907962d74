/** Lists the pages by their paths; `DASHBOARD_PAGES` of `api` is the same list. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { readTableSearch } from './fleet/table.ts';
import { InboxPage } from './pages/inbox/inbox-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { QuestionPage } from './pages/question-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { readPanesSearch } from './pages/panes/panes-search.ts';
import { readTab } from './pages/worker/tabs.ts';
import { Shell } from './shell/shell.tsx';

// Nobody waits for the inbox until a page is loaded that nobody has asked for.
const ReviewListPage = lazyRouteComponent(() => import('./pages/review/review-list-page.tsx'), 'ReviewListPage');
const ReviewPage = lazyRouteComponent(() => import('./pages/review/review-page.tsx'), 'ReviewPage');
const WorkerPage = lazyRouteComponent(() => import('./pages/worker/worker-page.tsx'), 'WorkerPage');
const PanesPage = lazyRouteComponent(() => import('./pages/panes/panes-page.tsx'), 'PanesPage');
const RunsPage = lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage');
const RunPage = lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage');
const MachinesPage = lazyRouteComponent(() => import('./pages/machines/machines-page.tsx'), 'MachinesPage');

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });
const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: InboxPage,
  validateSearch: readTableSearch,
});
const worker = createRoute({
  getParentRoute: () => shell,
  path: '/workers/$project/$name',
  component: WorkerPage,
  validateSearch: readTab,
});
const reviews = createRoute({ getParentRoute: () => shell, path: '/review', component: ReviewListPage });
const review = createRoute({ getParentRoute: () => shell, path: '/review/$project/$name', component: ReviewPage });
const panes = createRoute({
  getParentRoute: () => shell,
  path: '/panes',
  component: PanesPage,
  validateSearch: readPanesSearch,
});
const runs = createRoute({ getParentRoute: () => shell, path: '/runs', component: RunsPage });
const run = createRoute({ getParentRoute: () => shell, path: '/runs/$id', component: RunPage });
const question = createRoute({ getParentRoute: () => shell, path: '/q/$id', component: QuestionPage });
const machines = createRoute({ getParentRoute: () => shell, path: '/machines', component: MachinesPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([inbox, worker, reviews, review, panes, runs, run, machines, question]),
  ]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
