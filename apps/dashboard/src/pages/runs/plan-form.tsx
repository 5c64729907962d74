/** Edits a plan: title, words, paths and checks of each part. What is written is kept until it is saved. */
import { useDraft } from '../../client/drafts.ts';
import { linesOf } from '../../fleet/runs.ts';
import type { Part } from '../../fleet/runs.ts';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import css from './runs.module.css';

/** Parts of a plan at most, as the coordinator takes them. */
const PARTS_MAX = 20;

interface Props {
  /** Name of the draft. */
  readonly name: string;
  readonly plan: readonly Part[];
  readonly lack: string | null;
  readonly onSave: (plan: Part[]) => void;
  readonly onCancel: () => void;
}

/** A part as its fields hold it. */
interface Fields {
  readonly title: string;
  readonly prompt: string;
  readonly paths: string;
  readonly check: string;
}

const NEW: Fields = { title: '', prompt: '', paths: '', check: '' };

export function PlanForm({ name, plan, lack, onSave, onCancel }: Props) {
  const [kept, write] = useDraft(`plan ${name}`);
  const fields = kept === '' ? plan.map(fieldsOf) : (JSON.parse(kept) as readonly Fields[]);
  const put = (next: readonly Fields[]): void => write(JSON.stringify(next));
  const set = (at: number, change: Partial<Fields>): void =>
    put(fields.map((one, place) => (place === at ? { ...one, ...change } : one)));
  return (
    <form
      className={css.planForm}
      aria-label="The plan"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(fields.map(partOf));
      }}
    >
      {fields.map(({ title, prompt, paths, check }, at) => (
        // Fields belong to a place of the plan, not to words that change at each key.
        <fieldset key={at}>
          <legend>Part {at + 1}</legend>
          <label className={parts.field}>
            <span>Title</span>
            <input required value={title} onChange={({ target }) => set(at, { title: target.value })} />
          </label>
          <label className={parts.field}>
            <span>What is to be done</span>
            <textarea required value={prompt} onChange={({ target }) => set(at, { prompt: target.value })} />
          </label>
          <label className={parts.field}>
            <span>Paths that it touches, one a line</span>
            <textarea required value={paths} onChange={({ target }) => set(at, { paths: target.value })} />
          </label>
          <label className={parts.field}>
            <span>Checks, one a line; empty: those of the flow</span>
            <textarea value={check} onChange={({ target }) => set(at, { check: target.value })} />
          </label>
          <Button tone="quiet" onClick={() => put(fields.filter((_, place) => place !== at))}>
            Leave part {at + 1} out
          </Button>
        </fieldset>
      ))}
      <div className={parts.row}>
        <Button
          lack={fields.length < PARTS_MAX ? null : `A plan has at most ${PARTS_MAX} parts`}
          onClick={() => put([...fields, NEW])}
        >
          Add a part
        </Button>
        <Button type="submit" tone="primary" lack={fields.length === 0 ? 'The plan has no parts: add one' : lack}>
          Save the plan
        </Button>
        <Button
          onClick={() => {
            write('');
            onCancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}

function fieldsOf({ title, prompt, paths, check }: Part): Fields {
  return { title, prompt, paths: paths.join('\n'), check: (check ?? []).join('\n') };
}

function partOf({ title, prompt, paths, check }: Fields): Part {
  const checks = linesOf(check);
  return { title, prompt, paths: linesOf(paths), ...(checks.length === 0 ? {} : { check: checks }) };
}
