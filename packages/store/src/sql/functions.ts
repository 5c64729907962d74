// Collects every function on the database, by its name. A function that is exported by one of these modules is a method
// of the store.
import * as accounts from './accounts.ts';
import * as deliveries from './channels/deliveries.ts';
import * as people from './channels/people.ts';
import * as placeTests from './channels/place-tests.ts';
import * as silences from './channels/silences.ts';
import * as checkpoints from './checkpoints.ts';
import * as commands from './commands.ts';
import * as decision from './decision.ts';
import * as due from './due-work.ts';
import * as errors from './incidents/errors.ts';
import * as escalations from './escalations.ts';
import * as history from './history.ts';
import * as incidents from './incidents/incidents.ts';
import * as join from './machines/join.ts';
import * as machines from './machines/machines.ts';
import * as reports from './machines/reports.ts';
import * as signs from './machines/signs-of-life.ts';
import * as ssh from './machines/ssh.ts';
import * as parcels from './parcels.ts';
import * as audit from './people/audit.ts';
import * as tokens from './people/tokens.ts';
import * as policies from './policies.ts';
import * as profiles from './profiles.ts';
import * as projects from './projects.ts';
import * as announcements from './public/announcements.ts';
import * as keptAnswers from './public/kept-answers.ts';
import * as webhooks from './public/webhooks.ts';
import * as queue from './queue.ts';
import * as reviews from './reviews.ts';
import * as runs from './runs/runs.ts';
import * as usage from './runs/usage.ts';
import * as tasks from './tasks.ts';
import * as terminals from './terminals/terminals.ts';
import * as workers from './workers.ts';

/** Functions of the store. No two have one name. */
export const FUNCTIONS = {
  ...accounts,
  ...audit,
  ...announcements,
  ...checkpoints,
  ...commands,
  ...decision,
  ...deliveries,
  ...due,
  ...errors,
  ...escalations,
  ...history,
  ...incidents,
  ...join,
  ...keptAnswers,
  ...machines,
  ...parcels,
  ...people,
  ...placeTests,
  ...policies,
  ...profiles,
  ...projects,
  ...queue,
  ...reports,
  ...reviews,
  ...runs,
  ...signs,
  ...silences,
  ...ssh,
  ...tasks,
  ...terminals,
  ...tokens,
  ...usage,
  ...webhooks,
  ...workers,
};
