/** The procedures of projects. */
import {
  addProjectInput,
  applyProjectInput,
  editProjectInput,
  projectInput,
  trustInput,
} from '../projects/projects.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `projects`. */
export const projectProcedures = {
  list: route('projects.list').query(({ ctx }) => ctx.fleet.listProjects(known(ctx))),
  show: route('projects.show')
    .input(projectInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.project(input, known(ctx)))),
  add: route('projects.add')
    .input(addProjectInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.addProject(input, known(ctx)))),
  declare: route('projects.declare')
    .input(applyProjectInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.applyProject(input, known(ctx)))),
  edit: route('projects.edit')
    .input(editProjectInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.editProject(input, known(ctx)))),
  trust: route('projects.trust')
    .input(trustInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.trustProject(input, known(ctx)))),
  remove: route('projects.remove')
    .input(projectInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeProject(input, known(ctx)))),
};
