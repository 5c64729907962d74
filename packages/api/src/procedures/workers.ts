/** The procedures of workers and their history. */
import {
  addInput,
  cancelMoveInput,
  eventsInput,
  messageInput,
  moveInput,
  nukeInput,
  paneInput,
  screenInput,
  whyInput,
} from '../workers.ts';
import { editWorkerInput, workerSettingsInput } from '../settings/settings.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `workers`, beside those of tasks. */
export const workerProcedures = {
  list: route('workers.list').query(({ ctx }) => ctx.fleet.listWorkers(known(ctx))),
  add: route('workers.add')
    .input(addInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.add(input, known(ctx)))),
  settings: route('workers.settings')
    .input(workerSettingsInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.showWorker(input, known(ctx)))),
  edit: route('workers.edit')
    .input(editWorkerInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.editWorker(input, known(ctx)))),
  nuke: route('workers.nuke')
    .input(nukeInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.nuke(input, known(ctx)))),
  message: route('workers.message')
    .input(messageInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.message(input, known(ctx)))),
  move: route('workers.move')
    .input(moveInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.moveWorker(input, known(ctx)))),
  cancelMove: route('workers.cancelMove')
    .input(cancelMoveInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.cancelMove(input, known(ctx)))),
  why: route('workers.why')
    .input(whyInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.why(input, known(ctx)))),
  screen: route('workers.screen')
    .input(screenInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.screen(input, known(ctx)))),
  pane: route('workers.pane')
    .input(paneInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.pane(input, known(ctx)))),
};

/** `events`. */
export const eventsProcedure = route('events')
  .input(eventsInput)
  .query(async ({ ctx, input }) => value(await ctx.fleet.events(input, known(ctx), ctx.signal)));
