/** Draws the stages of a run: a strip with a cell for each item, the items with their reasons, and a review's findings. */
import { Link } from '@tanstack/react-router';
import { showHidden } from '@drover/core/hidden-characters';
import type { RunView } from '@drover/api';
import { useFleet } from '../../client/hooks.ts';
import { reasonOf } from '../../fleet/text.ts';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { RunMark } from './run-mark.tsx';
import css from './runs.module.css';

type Stage = RunView['stages'][number];

/** `asking`: names of the stages and items about which the run asks a person. */
export function Strip({ stages, asking }: { readonly stages: readonly Stage[]; readonly asking: readonly string[] }) {
  return (
    <ol className={css.strip} aria-label="Stages">
      {stages.map(({ name, status, why, items }) => (
        <li key={name} className={css.stage}>
          <b>
            <Text of={name} />
          </b>
          <RunMark status={status} asks={asking.some((one) => one.split('/')[0] === name)} />
          {items.length < 2 ? null : (
            <ul className={css.cells}>
              {items.map((item) => (
                <li key={item.name} title={showHidden(`${item.name}: ${item.status}`)}>
                  <RunMark status={item.status} words={null} />
                  <span className="only-spoken">
                    <Text of={`${item.name}: ${item.status}`} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {why === '' ? null : (
            <span className={parts.dim}>
              <Text of={why} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ItemsProps {
  readonly stages: readonly Stage[];
  readonly project: string;
}

export function Items({ stages, project }: ItemsProps) {
  const items = stages.flatMap((stage) => stage.items);
  if (items.length === 0) return null;
  return (
    <section aria-label="Work">
      <h2>Work</h2>
      <ul className={css.items}>
        {items.map((item) => (
          <Item key={item.name} item={item} project={project} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item, project }: { readonly item: Stage['items'][number]; readonly project: string }) {
  const { name, status, why, attempt, worker, profile, commit, summary, failures, tokens } = item;
  const { workers } = useFleet();
  const own = [...workers.values()].find((one) => one.name === worker && one.project === project);
  // A limit or a dialog holds the worker up, which the run need not know.
  const says = own !== undefined && status === 'running' ? reasonOf(own) : '';
  const facts = [
    ...(profile === null ? [] : [profile]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(commit === null ? [] : [commit.slice(0, 12)]),
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en')} tokens`]),
  ];
  return (
    <li className={css.item}>
      <b>
        <Text of={name} />
      </b>
      <RunMark status={status} />
      <span>
        {worker === null ? null : own !== undefined ? (
          <Link to="/workers/$project/$name" params={{ project, name: worker }}>
            <Text of={worker} />
          </Link>
        ) : (
          <Text of={worker} />
        )}
      </span>
      <span className={parts.dim}>
        <Text of={facts.join(' · ')} />
      </span>
      <span className={css.more}>
        <Text of={[...new Set([why, says, summary])].filter((words) => words !== '').join(' · ')} />
      </span>
      {failures.map(({ code, problem }, at) => (
        // Failures only grow in number: each keeps its place.
        <span key={`${at} ${code}`} className={css.failure}>
          <Text of={`${code}: ${problem}`} />
        </span>
      ))}
    </li>
  );
}

export function Findings({ stages }: Pick<ItemsProps, 'stages'>) {
  return stages
    .filter(({ findings }) => findings.length > 0)
    .map(({ name, findings }) => (
      <section key={name} className={css.box} aria-label={`Findings of ${showHidden(name)}`}>
        <h2>
          Findings of <Text of={name} />
        </h2>
        <ul className={css.findings}>
          {findings.map(({ severity, file, line, text, answer }) => (
            <li key={`${file} ${line} ${text}`}>
              <b>
                <Text of={severity} />
              </b>{' '}
              {file === null ? null : (
                <code>
                  <Text of={line === null ? file : `${file}:${line}`} />
                </code>
              )}{' '}
              <Text of={text} />
              {answer === null ? null : (
                <p className={parts.dim}>
                  The author {answer.did === 'fixed' ? 'fixed it' : 'declines it'}: <Text of={answer.why} />
                </p>
              )}
            </li>
          ))}
        </ul>
      </section>
    ));
}
