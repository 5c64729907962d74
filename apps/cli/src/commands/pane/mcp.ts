/** `drover mcp`: serves tools over the Model Context Protocol to a coding agent, in a worker's pane or at a person's side. */
import { defineCommand } from '../../program/define.ts';

export const command = defineCommand({
  about: 'called by coding agents: tools of Drover over MCP, on stdin and stdout',
  example: `claude mcp add drover -- drover mcp
codex mcp add drover -- drover mcp`,
  more: `In the pane of a worker it has the tools of an agent: result, tell, ask. With the
token of a person it has those that the role allows, such as run_start, run_show
and worker_message; tools that would be refused are not listed. None merges work
or answers a question: that takes a person.`,
  async run(surroundings) {
    const { serve } = await import('../../mcp/serve.ts');
    serve(surroundings);
  },
});
