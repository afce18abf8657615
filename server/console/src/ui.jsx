import { useEffect, useRef, useState } from 'preact/hooks';
import { safe } from './text.js';

/** A page: its heading gets the focus when it comes, so that who does not see it hears where he is. */
export function Page({ title, aside, children }) {
  const heading = useRef(null);
  useEffect(() => {
    document.title = `${title} – Carillon`;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <div class="head">
        <h1 ref={heading} tabIndex={-1}>{title}</h1>
        {aside && <div class="aside">{aside}</div>}
      </div>
      {children}
    </>
  );
}

export function Failed({ failure }) {
  if (!failure) return null;
  const text = failure.status === 403 ? `Not allowed: ${safe(failure.message, 400)}` : safe(failure.message, 400);
  return <p class="notice bad" role="alert">{text}</p>;
}

export function Figure({ name, value, note, bad }) {
  return (
    <div class={bad ? 'figure bad' : 'figure'}>
      <dt>{name}</dt>
      <dd>{value}{note && <small>{note}</small>}</dd>
    </div>
  );
}

/** Text of strangers: neither its marks of direction nor its length reach beyond it. */
export function Alien({ text, longest }) {
  return <bdi class="alien">{safe(text, longest)}</bdi>;
}

/** A table that is a list of cards where there is no room. Columns: name, of, number, wide. */
export function Table({ caption, columns, rows, empty, keyOf, action }) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="away">{caption}</caption>
        <thead>
          <tr>
            {columns.map((c) => <th scope="col" class={c.number ? 'num' : ''} key={c.name}>{c.name}</th>)}
            {action && <th scope="col"><span class="away">Actions</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={keyOf ? keyOf(row) : i}>
              {columns.map((c) => (
                <td key={c.name} class={c.number ? 'num' : c.wide ? 'wide' : ''} data-name={c.name}>{c.of(row)}</td>
              ))}
              {action && <td class="act">{action(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

let fields = 0;

export function Field({ label, hint, children }) {
  const [id] = useState(() => `f${++fields}`);
  const control = { ...children, props: { ...children.props, id, 'aria-describedby': hint ? `${id}h` : undefined } };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control}
      {hint && <small id={`${id}h`}>{hint}</small>}
    </div>
  );
}

/** Asks before something is done that cannot be taken back. */
export function Confirm({ text, yes, onYes, onNo }) {
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onCancel={onNo} aria-label={yes}>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" class="danger" onClick={onYes}>{yes}</button>
        <button type="button" onClick={onNo}>Leave it</button>
      </div>
    </dialog>
  );
}

/** Something that a click does: its failure and its success stand beside it. */
export function useDeed() {
  const [state, setState] = useState({ busy: false, failure: null, done: '' });
  const run = async (work, done = '') => {
    setState({ busy: true, failure: null, done: '' });
    try {
      const answer = await work();
      setState({ busy: false, failure: null, done: typeof done === 'function' ? done(answer) : done });
      return answer;
    } catch (failure) {
      setState({ busy: false, failure, done: '' });
      return undefined;
    }
  };
  const told = (
    <div aria-live="polite">
      {state.done && <p class="notice good">{safe(state.done, 400)}</p>}
      <Failed failure={state.failure} />
    </div>
  );
  return { ...state, run, told };
}

/** Text that is typed counts when nothing was typed for a while. */
export function useSettled(value, after = 300) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after);
    return () => clearTimeout(timer);
  }, [value, after]);
  return settled;
}
