import { useEffect, useState } from 'preact/hooks';
import { api, query, useAnswer } from './api.js';
import { LiveLadder } from './ladder.jsx';
import { TraceOf } from './spans.jsx';
import { count, duration, moment, number, safe } from './text.js';
import { Alien, Confirm, Failed, Field, Page, Table, useDeed, useSettled } from './ui.jsx';

const PAGE = 50;
const EVERY = 3000;

export const callPath = (id) => `#/calls/${encodeURIComponent(id)}`;

export function Calls({ may }) {
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [application, setApplication] = useState('');
  const [longerThan, setLongerThan] = useState('');
  const [before, setBefore] = useState(['']);
  const [ending, setEnding] = useState(null);
  const deed = useDeed();
  const filter = useSettled(JSON.stringify({ text, state, application, longerThan }));
  useEffect(() => setBefore(['']), [filter]);
  const after = before.at(-1);
  const answer = useAnswer(`/calls${query({ ...JSON.parse(filter), limit: PAGE, after })}`, EVERY);
  const list = answer.value;
  const end = async (id) => {
    setEnding(null);
    await deed.run(() => api('DELETE', `/calls/${encodeURIComponent(id)}`), `Ended: ${id}`);
    answer.again();
  };
  return (
    <Page title="Calls">
      <form class="filter" role="search" onSubmit={(e) => e.preventDefault()}>
        <Field label="Search" hint="Anywhere in ids, From and To">
          <input type="search" value={text} maxLength={300} data-search onInput={(e) => setText(e.target.value)} />
        </Field>
        <Field label="State">
          <select value={state} onChange={(e) => setState(e.target.value)}>
            <option value="">any</option>
            {['initial', 'early', 'confirmed', 'terminated'].map((word) => <option key={word}>{word}</option>)}
          </select>
        </Field>
        <Field label="Application">
          <input value={application} maxLength={128} onInput={(e) => setApplication(e.target.value)} />
        </Field>
        <Field label="Longer than, seconds">
          <input type="number" min="0" value={longerThan} onInput={(e) => setLongerThan(e.target.value)} />
        </Field>
      </form>
      {deed.told}
      <Failed failure={answer.failure} />
      <p class="soft" role="status">{list ? `${count(list.matching, 'call')}${list.matching === list.held ? '' : ` of ${number(list.held)}`}, the longest first` : 'Asking …'}</p>
      {list && (
        <Table
          caption="Calls that are held"
          rows={list.calls}
          keyOf={(call) => call.id}
          empty={list.held === 0 ? 'No call is held now.' : 'No call is like that.'}
          columns={[
            { name: 'From', wide: true, of: (call) => <a href={callPath(call.id)}><Alien text={call.from} longest={80} /></a> },
            { name: 'To', wide: true, of: (call) => <Alien text={call.to} longest={80} /> },
            { name: 'State', of: (call) => <span class={`badge ${call.state === 'confirmed' ? 'good' : ''}`}>{safe(call.state)}</span> },
            { name: 'For', number: true, of: (call) => duration(call.seconds) },
            { name: 'Application', of: (call) => safe(call.application) },
            { name: 'Legs', number: true, of: (call) => number(call.legs) },
            { name: 'Node', of: (call) => safe(call.node) },
          ]}
          action={may('operator') && ((call) => <button type="button" onClick={() => setEnding(call)} aria-label={`Hang up the call from ${safe(call.from, 60)}`}>Hang up</button>)}
        />
      )}
      {list && (list.next || before.length > 1) && (
        <nav class="pages" aria-label="Pages of calls">
          <button type="button" disabled={before.length < 2} onClick={() => setBefore(before.slice(0, -1))}>Back</button>
          <span>Page {number(before.length)}</span>
          <button type="button" disabled={!list.next} onClick={() => setBefore([...before, list.next])}>Next</button>
        </nav>
      )}
      {ending && <Confirm text={<>The call from <Alien text={ending.from} /> to <Alien text={ending.to} /> gets BYE at both ends.</>} yes="Hang up" onYes={() => end(ending.id)} onNo={() => setEnding(null)} />}
    </Page>
  );
}

function Session({ session }) {
  return (
    <section class="card">
      <h3>{safe(session.role)}, {safe(session.state)}</h3>
      <dl class="facts">
        <dt>Call-ID</dt><dd><Alien text={session.callId} /></dd>
        <dt>Local</dt><dd><Alien text={session.local} /></dd>
        <dt>Remote</dt><dd><Alien text={session.remote} /></dd>
        <dt>Servlet</dt><dd>{safe(session.handler)}, region {safe(session.routing)}</dd>
        {session.dialog && <><dt>Dialog</dt><dd>{safe(session.dialog.state)}{session.dialog.secure ? ', secure' : ''}, target <Alien text={session.dialog.remoteTarget} /></dd></>}
        {session.dialog?.routes.map((route, i) => <><dt key={i}>Route</dt><dd><Alien text={route} /></dd></>)}
        {session.open.map((open, i) => <><dt key={i}>Waits</dt><dd>{safe(open)}</dd></>)}
      </dl>
    </section>
  );
}

export function OneCall({ id, may }) {
  const answer = useAnswer(`/call${query({ id })}`, EVERY);
  const [ending, setEnding] = useState(false);
  const deed = useDeed();
  const calls = answer.value ?? [];
  const gone = answer.failure?.status === 404;
  const callId = calls[0]?.sessions[0]?.callId ?? id;
  const end = async () => {
    setEnding(false);
    await deed.run(() => api('DELETE', `/calls/${encodeURIComponent(calls[0].id)}`), 'The call gets BYE at both ends.');
    answer.again();
  };
  return (
    <Page title="One call" aside={<a href="#/calls">All calls</a>}>
      <p class="soft"><Alien text={id} /></p>
      {gone ? <p class="notice warn" role="status">The call is not held any more; what was recorded of it stays below.</p> : <Failed failure={answer.failure} />}
      {deed.told}
      <div class="buttons">
        {may('operator') && calls.length > 0 && !gone && <button type="button" class="danger" onClick={() => setEnding(true)}>Hang up</button>}
        {may('operator') && !gone && (
          <button type="button" onClick={() => deed.run(() => api('POST', '/traces', { callId, all: false }), 'What it sends from now on is recorded.')}>Record it</button>
        )}
      </div>
      <h2>Ladder</h2>
      <LiveLadder key={callId} id={callId} over={gone} empty={may('operator') ? 'Nothing was recorded of it so far.' : 'Nothing was recorded of it: an operator can record calls.'} />
      <h2>Trace</h2>
      <TraceOf key={`trace ${callId}`} id={callId} />
      {calls.map((call) => (
        <section key={call.id}>
          <h2>{safe(call.application)} version {call.version}</h2>
          <dl class="facts">
            <dt>Id</dt><dd><Alien text={call.id} /></dd>
            <dt>Node</dt><dd>{safe(call.node)}, shard {call.shard}</dd>
            <dt>Age</dt><dd>{duration(call.ageSeconds)}</dd>
            <dt>Expires in</dt><dd>{call.expiresInSeconds == null ? 'never' : duration(call.expiresInSeconds)}</dd>
            {call.key && <><dt>Key</dt><dd><Alien text={call.key} /></dd></>}
            {call.cluster && <><dt>Protected</dt><dd>{call.cluster.unprotected == null ? 'yes' : `no: ${safe(call.cluster.unprotected)}`}; owner node {call.cluster.owner}, next {call.cluster.next}</dd></>}
            {call.timers.length > 0 && <><dt>Timers</dt><dd>{count(call.timers.length, 'timer')}</dd></>}
            {call.attributes.length > 0 && <><dt>Attributes</dt><dd>{call.attributes.map((a) => safe(a.name)).join(', ')}</dd></>}
          </dl>
          <div class="cards">{call.sessions.map((session) => <Session key={session.id} session={session} />)}</div>
        </section>
      ))}
      {ending && <Confirm text="The call gets BYE at both ends." yes="Hang up" onYes={end} onNo={() => setEnding(false)} />}
    </Page>
  );
}

export function Registrations() {
  const [text, setText] = useState('');
  const [before, setBefore] = useState(['']);
  const settled = useSettled(text);
  useEffect(() => setBefore(['']), [settled]);
  const answer = useAnswer(`/registrations${query({ text: settled, limit: PAGE, after: before.at(-1) })}`, EVERY);
  const page = answer.value;
  return (
    <Page title="Registrations">
      <form class="filter" role="search" onSubmit={(e) => e.preventDefault()}>
        <Field label="Search" hint="Anywhere in the address or the contact">
          <input type="search" value={text} maxLength={300} data-search onInput={(e) => setText(e.target.value)} />
        </Field>
      </form>
      <Failed failure={answer.failure} />
      {page && (
        <Table
          caption="Who is registered"
          rows={page.rows}
          empty={page.registrars.length === 0 ? 'No application that is deployed tells of registrations.' : 'Nobody is registered like that.'}
          columns={[
            { name: 'Address', wide: true, of: (one) => <Alien text={one.aor} longest={80} /> },
            { name: 'Contact', wide: true, of: (one) => <Alien text={one.contact} longest={120} /> },
            { name: 'Expires', of: (one) => moment(one.expires) },
            { name: 'Refreshed', of: (one) => (one.updated ? moment(one.updated) : '–') },
            { name: 'Registrar', of: (one) => safe(one.application) },
          ]}
        />
      )}
      {page && (page.next || before.length > 1) && (
        <nav class="pages" aria-label="Pages of registrations">
          <button type="button" disabled={before.length < 2} onClick={() => setBefore(before.slice(0, -1))}>Back</button>
          <span>Page {number(before.length)}</span>
          <button type="button" disabled={!page.next} onClick={() => setBefore([...before, page.next])}>Next</button>
        </nav>
      )}
    </Page>
  );
}

const CHOICES = [
  ['all', 'every call'],
  ['user', 'calls of a user'],
  ['callId', 'one Call-ID'],
  ['peer', 'calls of an address'],
  ['percent', 'a share, in percent'],
];

function KeptTraces() {
  const answer = useAnswer('/traces/kept', EVERY);
  const kept = answer.value;
  if (!kept) return <Failed failure={answer.failure} />;
  return (
    <>
      <h2>Traces for the collector</h2>
      <Table
        caption="Traces that went to the collector"
        rows={kept.traces}
        keyOf={(one) => one.trace}
        empty={kept.on ? 'No trace was kept so far.' : 'No collector is named (telemetry.traces.otlp).'}
        columns={[
          { name: 'Began', of: (one) => <a href={callPath(one.callIds[0] ?? one.trace)}>{moment(one.began)}</a> },
          { name: 'Call-ID', wide: true, of: (one) => <Alien text={one.callIds[0]} longest={80} /> },
          { name: 'Took', number: true, of: (one) => duration(one.micros / 1e6) },
          { name: 'Spans', number: true, of: (one) => number(one.count) },
          { name: 'Failed', wide: true, of: (one) => (one.failure ? <Alien text={one.failure} longest={120} /> : 'no') },
        ]}
      />
    </>
  );
}

export function Traces({ may }) {
  const answer = useAnswer('/traces?limit=200', EVERY);
  const [choice, setChoice] = useState('user');
  const [value, setValue] = useState('');
  const deed = useDeed();
  const begin = async (e) => {
    e.preventDefault();
    const body = { all: choice === 'all' };
    if (choice !== 'all') body[choice] = choice === 'percent' ? Number(value) : value.trim();
    await deed.run(() => api('POST', '/traces', body), 'It records from now on.');
    answer.again();
  };
  const end = async (one) => {
    await deed.run(() => api('DELETE', `/traces/${one.number}`), 'It is off; what it recorded stays.');
    answer.again();
  };
  return (
    <Page title="Traces">
      {deed.told}
      <Failed failure={answer.failure} />
      {may('operator') && (
        <form class="filter" onSubmit={begin}>
          <Field label="Record">
            <select value={choice} onChange={(e) => setChoice(e.target.value)}>{CHOICES.map(([v, words]) => <option key={v} value={v}>{words}</option>)}</select>
          </Field>
          {choice !== 'all' && <Field label="Which"><input required value={value} maxLength={300} onInput={(e) => setValue(e.target.value)} /></Field>}
          <button type="submit" class="main" disabled={deed.busy}>Begin</button>
        </form>
      )}
      <h2>On now</h2>
      <Table
        caption="Traces that are on"
        rows={answer.value?.traces ?? []}
        empty="No trace is on."
        columns={[
          { name: 'Records', of: (one) => <Alien text={one.what} /> },
          { name: 'Begun by', of: (one) => <Alien text={one.who} /> },
          { name: 'Ends in', number: true, of: (one) => duration(one.secondsLeft) },
          { name: 'Calls', number: true, of: (one) => `${number(one.calls)} of ${number(one.mostCalls)}` },
        ]}
        action={may('operator') && ((one) => <button type="button" onClick={() => end(one)} aria-label={`End trace ${one.number}`}>End</button>)}
      />
      <h2>Recorded calls</h2>
      <Table
        caption="Recorded calls"
        rows={answer.value?.calls ?? []}
        keyOf={(call) => call.id}
        empty="Nothing was recorded."
        columns={[
          { name: 'Began', of: (call) => <a href={callPath(call.id)}>{moment(call.began)}</a> },
          { name: 'From', wide: true, of: (call) => <Alien text={call.from} longest={80} /> },
          { name: 'To', wide: true, of: (call) => <Alien text={call.to} longest={80} /> },
          { name: 'By', of: (call) => safe(call.method) },
          { name: 'Events', number: true, of: (call) => number(call.events) },
        ]}
      />
      <KeptTraces />
    </Page>
  );
}
