// A call as a ladder: who sent what to whom, in the order of time. It grows while the call runs.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, query, useEvents } from './api.js';
import { clock, count, millis, safe, safeLines } from './text.js';
import { Alien, Failed } from './ui.jsx';

const MOST = 2000;
const OURS = 'Carillon';

/** Microseconds since 1970: a browser's own times are of milliseconds. */
function micros(iso) {
  const fraction = /\.(\d+)Z$/.exec(iso)?.[1] ?? '';
  return Math.floor(Date.parse(iso) / 1000) * 1e6 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

const shown = (message) => message.text ?? '(bytes that are no text)';

function header(text, name) {
  const found = text.match(new RegExp(`^${name}[ \\t]*:[ \\t]*([^\\r\\n]*)`, 'im'));
  return found ? found[1] : '';
}

function label(message) {
  const text = shown(message);
  const start = text.slice(0, 200).split(/\r?\n/, 1)[0];
  const method = header(text.slice(0, 8000), 'CSeq').split(' ').at(-1);
  const words = start.startsWith('SIP/2.0 ') ? `${start.slice(8)} (${method})` : start.split(' ', 1)[0];
  return /^(content-type|c)[ \t]*:[ \t]*application\/sdp/im.test(text) ? `${words} SDP` : words;
}

/** The places of a ladder, from left to right: who began, we, and everybody else. */
function places(events) {
  const others = [];
  for (const event of events) {
    const at = event.message && !event.message.internal ? event.message.remote : '';
    if (at && !others.includes(at)) others.push(at);
  }
  return others.length === 0 ? [OURS] : [others[0], OURS, ...others.slice(1)];
}

function Row({ event, all, chosen, onChoose }) {
  const ours = all.indexOf(OURS);
  const time = <time dateTime={event.time}>{clock(event.time, true)}</time>;
  if (event.message) {
    const m = event.message;
    const other = m.internal ? ours : all.indexOf(m.remote);
    const from = m.received ? other : ours;
    const to = m.received ? ours : other;
    const left = Math.min(from, to);
    const text = label(m);
    const kind = /^[456]\d\d/.test(text) ? 'bad' : /^[23]\d\d/.test(text) ? 'good' : '';
    const where = m.internal ? 'between applications' : m.received ? `from ${safe(m.remote)}` : `to ${safe(m.remote)}`;
    return (
      <li class="step">
        {time}
        <button
          type="button"
          class={`arrow ${m.internal ? 'inside' : from < to ? 'right' : 'left'} ${m.again ? 'again' : ''} ${kind}`}
          style={{ gridColumn: `${left + 2} / ${(m.internal ? left : Math.max(from, to)) + 3}` }}
          aria-pressed={chosen}
          aria-label={`${safe(text, 80)} ${where}${m.again ? ', sent again' : ''}`}
          onClick={onChoose}
        >
          <span>{safe(text, 80)}{m.again && ' (again)'}</span>
        </button>
      </li>
    );
  }
  const at = { gridColumn: `${ours + 2} / -1` };
  if (event.handler) {
    const h = event.handler;
    return (
      <li class="step">
        {time}
        <span class={h.threw ? 'remark bad' : 'remark'} style={at}>
          {safe(h.application)} {safe(h.servlet)} {safe(h.what)}: {millis(h.tookMicros / 1000)}
          {h.waitedMicros != null && h.waitedMicros > 1000 && `, waited ${millis(h.waitedMicros / 1000)}`}
          {h.threw && ', threw'}
        </span>
      </li>
    );
  }
  return (
    <li class="step">
      {time}
      <span class="remark bad" style={at}>{safe(event.note?.what)} {safe(event.note?.about)} {safe(event.note?.cause, 300)}</span>
    </li>
  );
}

export function Ladder({ events }) {
  const all = useMemo(() => places(events), [events]);
  const [chosen, setChosen] = useState(null);
  const message = events.find((event) => event.sequence === chosen)?.message;
  return (
    <>
      <div class="scroll ladder" role="region" aria-label="Ladder" tabIndex={0}>
        <ol style={{ gridTemplateColumns: `auto repeat(${all.length}, minmax(var(--lane), 1fr))` }}>
          <li class="step places" aria-hidden="true">
            <span />
            {all.map((name) => <span key={name} class={name === OURS ? 'ours' : ''}><Alien text={name} longest={60} /></span>)}
          </li>
          {events.map((event) => (
            <Row key={event.sequence} event={event} all={all} chosen={chosen === event.sequence} onChoose={() => setChosen(chosen === event.sequence ? null : event.sequence)} />
          ))}
        </ol>
      </div>
      {message && (
        <section class="message" aria-label="The message">
          <h2>{safe(label(message), 80)}</h2>
          <p class="soft">{safe(message.transport)} {message.received ? `from ${safe(message.remote)} to ${safe(message.local)}` : `from ${safe(message.local)} to ${safe(message.remote)}`}</p>
          <pre tabIndex={0}>{safeLines(shown(message))}</pre>
        </section>
      )}
    </>
  );
}

/** The ladder of a recorded call, and what is added to it. */
export function LiveLadder({ id, empty, over }) {
  const [events, setEvents] = useState([]);
  const [failure, setFailure] = useState(null);
  const [missed, setMissed] = useState(false);
  const [after, setAfter] = useState(null);
  const known = useRef(new Set());
  const add = (more) => {
    const fresh = more.filter((event) => !known.current.has(event.sequence));
    if (fresh.length === 0) return;
    fresh.forEach((event) => known.current.add(event.sequence));
    setEvents((before) => [...before, ...fresh].sort((a, b) => micros(a.time) - micros(b.time) || a.sequence - b.sequence).slice(-MOST));
  };
  useEffect(() => {
    let gone = false;
    known.current = new Set();
    setEvents([]);
    setAfter(null);
    get(`/traces/calls${query({ call: id, limit: 1 })}`)
      .then((calls) => {
        if (gone) return;
        const first = calls.flatMap((call) => call.events);
        add(first);
        setAfter(first.reduce((most, event) => Math.max(most, event.sequence), 0));
      })
      .catch((e) => {
        if (gone) return;
        if (e.status !== 404) setFailure(e);
        setAfter(0);
      });
    return () => {
      gone = true;
    };
  }, [id]);
  const state = useEvents(after === null ? null : `/traces/stream${query({ call: id, after: String(after) })}`, {
    trace: add,
    missed: () => setMissed(true),
  });
  return (
    <>
      <Failed failure={failure} />
      {missed && <p class="notice warn">Some events came faster than they could be shown: open the page again to see them.</p>}
      <p class="soft" role="status">{events.length === 0 ? empty : `${count(events.length, 'event')}${state === 'open' && !over ? ', growing as the call goes on' : ''}`}</p>
      {events.length > 0 && <Ladder events={events} />}
    </>
  );
}
