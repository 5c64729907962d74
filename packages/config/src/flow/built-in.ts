// Holds the flows that Drover brings. `drover flow show NAME` prints them; saved and edited, they are flows of their own.

const CHANGE = `# One change: an agent builds it, the project's checks run, an agent of another profile reviews it, and you accept it.
inputs = { goal = "text" }
budget = { time = "6h", workers = 2 }

[build]
role = "developer"
ask = "{{goal}}"
tries = 2

[check]
check = "project"

[review]
of = "build"
profile = "other"
rounds = 2

[merge]
accept = "build"
`;

const SPLIT = `# Work in parts: an agent plans parts that touch different files, you edit and start the plan, several agents build it.
inputs = { goal = "text" }
budget = { time = "6h", workers = 4 }

[plan]
role = "developer"
ask = "Split this goal into parts that touch different files, so that several agents can build them side by side. Change no files. The goal: {{goal}}"
returns = "parts"

[go]
gate = "plan"
who = "operator"

[build]
each = "plan.parts"
role = "developer"
ask = "{{part.prompt}}"
tries = 2

[whole]
join = "build"
role = "developer"
check = "project"

[review]
of = "whole"
profile = "other"
rounds = 2

[merge]
accept = "whole"
`;

const STUDY = `# A question: several agents look into it, each alone, and one writes a report. Nothing is changed.
inputs = { goal = "text" }
budget = { time = "2h", workers = 4 }

[read]
role = "researcher"
ask = "Look into this question, and report what you find, with the places in the code that show it. Change no files. The question: {{goal}}"
returns = "report"
times = 3

[report]
role = "researcher"
ask = "Several readers looked into a question, each alone. Write one report: what they agree on, where they differ and who is right, what stays open. Change no files. The question: {{goal}}\\n\\nTheir reports:\\n\\n{{read.report}}"
returns = "report"
`;

/** Text of each flow that Drover brings, by name. */
export const BUILT_IN_FLOWS: Readonly<Record<string, string>> = { change: CHANGE, split: SPLIT, study: STUDY };
