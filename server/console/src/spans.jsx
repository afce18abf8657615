// The trace of a call that is over, as a collector of OpenTelemetry has it: what took how long, and within what.
import { useMemo, useState } from 'preact/hooks';
import { query, useAnswer } from './api.js';
import { count, duration, millis, safe } from './text.js';
import { Alien, Failed } from './ui.jsx';

const MOST = 500;

function time(micros) {
  return micros < 60e6 ? millis(micros / 1000) : duration(micros / 1e6);
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Spans with their depth, each below the one that it belongs to. */
export function inOrder(spans) {
  const known = new Set(spans.map((span) => span.id));
  const below = new Map();
  for (const span of spans) {
    const parent = known.has(span.parent) && span.parent !== span.id ? span.parent : '';
    below.set(parent, [...(below.get(parent) ?? []), span]);
  }
  const rows = [];
  const seen = new Set();
  const add = (parent, depth) => {
    for (const span of below.get(parent) ?? []) {
      if (seen.has(span.id)) continue;
      seen.add(span.id);
      rows.push({ span, depth: Math.min(depth, 6) });
      add(span.id, depth + 1);
    }
  };
  add('', 0);
  return rows;
}

function Bar({ span, whole }) {
  const left = Math.min(100, (100 * span.at) / whole);
  const width = Math.max(0.4, Math.min(100 - left, (100 * span.micros) / whole));
  return (
    <span class="track">
      <span class={`bar ${span.error ? 'bad' : safe(span.kind, 20)}`} style={{ left: `${Math.min(left, 99.6)}%`, width: `${width}%` }} />
    </span>
  );
}

function Chosen({ span }) {
  return (
    <section class="message" aria-label="The span">
      <h3>{safe(span.name, 120)}</h3>
      <dl class="facts">
        <dt>Kind</dt><dd>{safe(span.kind)}</dd>
        <dt>From</dt><dd>{time(span.at)} on, for {time(span.micros)}</dd>
        {span.status > 0 && <><dt>Status</dt><dd>{span.status}</dd></>}
        {span.peer && <><dt>Far end</dt><dd><Alien text={span.peer} /></dd></>}
        {span.callId && <><dt>Call-ID</dt><dd><Alien text={span.callId} /></dd></>}
        {span.about && <><dt>Servlet</dt><dd>{safe(span.about)}</dd></>}
        {span.repeats > 0 && <><dt>Repeats</dt><dd>{span.repeats}</dd></>}
        {span.error && <><dt>Went wrong</dt><dd><Alien text={span.error} longest={500} /></dd></>}
        {span.events.map((event, i) => <><dt key={i}>{time(event.at)}</dt><dd><Alien text={event.text} /></dd></>)}
      </dl>
    </section>
  );
}

export function Waterfall({ trace }) {
  const rows = useMemo(() => inOrder(trace.spans).slice(0, MOST), [trace]);
  const [chosen, setChosen] = useState(null);
  const whole = Math.max(1, trace.micros);
  const span = trace.spans.find((one) => one.id === chosen);
  return (
    <>
      {trace.failure && <p class="notice bad">The call counts as failed: <Alien text={trace.failure} longest={500} /></p>}
      <p class="soft">
        {count(trace.count, 'span')} in {time(trace.micros)}{trace.givenUp > 0 && `, ${count(trace.givenUp, 'span')} given up for want of room`}. Trace <Alien text={trace.trace} />
      </p>
      <div class="scroll spans" role="region" aria-label="Trace" tabIndex={0}>
        <ol>
          {rows.map(({ span: one, depth }) => (
            <li key={one.id}>
              <button
                type="button"
                aria-pressed={chosen === one.id}
                title={`from ${time(one.at)} on, for ${time(one.micros)}${one.error ? ', failed' : ''}`}
                onClick={() => setChosen(chosen === one.id ? null : one.id)}
              >
                <span class={one.error ? 'what bad' : 'what'} style={{ paddingLeft: `${depth * 0.8}rem` }}>{safe(one.name, 60)}{one.status > 0 && <small> {one.status}</small>}</span>
                <Bar span={one} whole={whole} />
                <span class="took">{time(one.micros)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {span && <Chosen span={span} />}
    </>
  );
}

/** That of a call; where there is none, why. */
export function TraceOf({ id }) {
  const answer = useAnswer(`/traces/kept/call${query({ call: id })}`, 5000);
  if (answer.value) return <Waterfall trace={answer.value} />;
  if (answer.failure?.status === 404) return <p class="soft" role="status">{sentence(safe(answer.failure.message, 400))}</p>;
  return <Failed failure={answer.failure} />;
}
