/**
 * Permissions of every route of the table: without a token, as a machine, as a worker, and in each role of a person with a token of one
 * project and of all, about their own project and another one. On a store in memory, without a socket.
 */
import { HTTP_ROUTES, ROUTES, V1_ROUTES, v1Place } from '@drover/api';
import type { Role, Route, RouteName, V1Route } from '@drover/api';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/openapi.ts';
import { CALLERS, fleetOfTwo, once, PEOPLE } from '../support/fleet-of-two.ts';
import type { Caller, Scene } from '../support/fleet-of-two.ts';
import { SAMPLES } from './route-samples.ts';
import type { Sample } from './route-samples.ts';
import { V1_SAMPLES } from './v1-samples.ts';

const RANK: readonly Role[] = PEOPLE;

/** Each caller, about each project. A test for each of them took longer than its calls. */
const ASKED = CALLERS.flatMap((caller) => (['own', 'other'] as const).map((project) => [caller, project] as const));

describe.each(Object.entries(ROUTES) as [RouteName, Route][])('%s', (name, route) => {
  const sample = SAMPLES[name];
  const sceneFor = scenes({ isRead: route.kind === 'query' });

  test('given each caller, when it is asked about the own project and another, then it answers as the table says', async () => {
    for (const [caller, project] of ASKED) {
      const right = expected(caller, { route, sample, project });
      const scene = await sceneFor(right);
      const { status, text, data } = await scene.call(name, { caller, input: sample.input?.(scene[project]) });
      expect([caller, project, statusOf(status)]).toEqual([caller, project, right]);
      if (status !== 200 || caller.endsWith('+fleet')) continue;
      // No answer holds anything of the other project.
      expect(text).not.toContain(scene.other.worker);
      if (sample.foreign === 'not-listed' && project === 'own' && LISTS.has(name)) expect(data).not.toEqual([]);
    }
  });
});

/** Gives each call its scene: a new one for a change that must be served; calls that change nothing share one. */
function scenes({ isRead }: { readonly isRead: boolean }): (right: Status) => Promise<Scene> {
  return (right) => (right === 'served' && !isRead ? fleetOfTwo() : untouched());
}

const untouched = once(fleetOfTwo);

/** Lists that hold something of the own project here. */
const LISTS: ReadonlySet<RouteName> = new Set([
  'workers.list',
  'queue.list',
  'escalations.list',
  'checkpoints.list',
  'machines.list',
  'fleet.up',
]);

type Status = 'unauthorized' | 'forbidden' | 'not-found' | 'served' | 'failed';

/** Returns the status that the table demands of this call. */
function expected(
  caller: Caller,
  { route, sample, project }: { route: Route; sample: Pick<Sample, 'foreign'>; project: 'own' | 'other' },
): Status {
  if (caller === 'none' || caller === 'machine') return 'unauthorized';
  const foreign = project === 'other' && sample.foreign === 'not-found' ? 'not-found' : 'served';
  if (caller === 'worker') return route.scope === 'worker' ? foreign : 'forbidden';
  const [role = '', isFleet] = caller.split('+');
  if (RANK.indexOf(role as Role) < RANK.indexOf(route.role)) return 'forbidden';
  if (isFleet !== undefined) return 'served';
  return route.scope === 'fleet' ? 'forbidden' : foreign;
}

/** Maps a status. A refusal for another reason than the caller is an answer too: the use case was reached. */
function statusOf(status: number): Status {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    default:
      return status < 500 ? 'served' : 'failed';
  }
}

describe.each(Object.entries(V1_ROUTES) as [keyof typeof V1_SAMPLES, V1Route][])('%s', (name, route) => {
  const sample = V1_SAMPLES[name];
  if (sample === undefined) throw new Error(`${name} has no sample in v1-samples.ts`);
  const sceneFor = scenes({ isRead: v1Place(name).method === 'GET' });

  test('given each caller, when it is asked about the own project and another, then it answers as the table says', async () => {
    for (const [caller, project] of ASKED) {
      const right = expected(caller, { route: route.access, sample, project });
      const scene = await sceneFor(right);
      const { method, path } = v1Place(name);
      const response = await scene.send(sample.path?.(scene[project]) ?? path, {
        method,
        caller,
        body: sample.body?.(scene[project]),
      });
      const text = await textOf(response);
      expect([caller, project, statusOf(response.status), response.status < 500 || text]).toEqual([
        caller,
        project,
        right,
        true,
      ]);
      if (response.status === 200 && !caller.endsWith('+fleet')) expect(text).not.toContain(scene.other.worker);
    }
  });
});

const HTTP = Object.entries(HTTP_ROUTES).filter(([route]) => !route.startsWith('WS ') && !route.startsWith('ALL '));

describe.each(HTTP)('%s for %s', (route, who) => {
  const [method = 'GET', path = '/'] = route.split(' ');

  test('given each caller, when it is asked, then it answers as the table says', async () => {
    for (const caller of CALLERS) {
      const scene = method === 'GET' ? await untouched() : await fleetOfTwo();
      const { status } = await scene.ask(method, path, caller);
      if (who === 'bot') {
        expect([caller, status]).toEqual([caller, caller === 'none' || caller === 'machine' ? 401 : 403]);
        continue;
      }
      const mayAsk =
        who === 'anybody' ||
        who === 'page' ||
        who === 'proof' ||
        who === 'link' ||
        (who === 'machine' && caller === 'machine') ||
        (who === 'viewer-or-local' && caller.endsWith('+fleet'));
      // Bodies that prove themselves are read first: an empty body proves nothing.
      expect([caller, status === 401]).toEqual([caller, !mayAsk]);
    }
  });
});
