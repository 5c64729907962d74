/** Operations on projects. */
import {
  addProjectInput,
  applyProjectInput,
  editProjectInput,
  projectInput,
  projectView,
  trustInput,
} from '../projects/projects.ts';
import { defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

export const projectOperations = {
  'projects.list': query('viewer', 'project', {
    handle: async ({ fleet, actor }) => ok(await fleet.listProjects(actor)),
    v1: {
      'GET /v1/projects': defineV1({
        summary: 'Lists the projects.',
        query: z.strictObject(page),
        answer: listOf(projectView.meta({ id: 'Project' })),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: asked }) =>
          pageOf(await fleet.listProjects(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
      }),
    },
  }),
  'projects.show': query('viewer', 'project', {
    input: projectInput,
    handle: ({ fleet, actor, input }) => fleet.project(input, actor),
  }),
  'projects.add': mutation('admin', 'fleet', {
    input: addProjectInput,
    handle: ({ fleet, actor, input }) => fleet.addProject(input, actor),
  }),
  'projects.declare': mutation('admin', 'fleet', {
    input: applyProjectInput,
    handle: ({ fleet, actor, input }) => fleet.applyProject(input, actor),
  }),
  'projects.edit': mutation('admin', 'fleet', {
    input: editProjectInput,
    handle: ({ fleet, actor, input }) => fleet.editProject(input, actor),
  }),
  'projects.trust': mutation('admin', 'fleet', {
    input: trustInput,
    handle: ({ fleet, actor, input }) => fleet.trustProject(input, actor),
  }),
  'projects.remove': mutation('admin', 'fleet', {
    input: projectInput,
    handle: ({ fleet, actor, input }) => fleet.removeProject(input, actor),
  }),
};
