// Pages about the server and what is around it: peers, bans, cluster, configuration, log, users, access.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, get, query, useAnswer, useEvents } from './api.js';
import { clock, count, duration, moment, number, safe } from './text.js';
import { Alien, Confirm, Failed, Field, Page, Table, useDeed, useSettled } from './ui.jsx';

const PAGE = 50;

export function Peers({ may }) {
  const peers = useAnswer('/peers', 10000);
  const bans = useAnswer('/bans', 5000);
  const deed = useDeed();
  const lift = async (ban) => {
    // An IPv6 source is a network, and no slash can be part of a path: its first address names it as well.
    const address = ban.address.split('/')[0];
    await deed.run(() => api('DELETE', `/bans/${encodeURIComponent(address)}`), 'It is listened to again.');
    bans.again();
  };
  return (
    <Page title="Peers">
      <Failed failure={peers.failure} />
      <Table
        caption="Peers of the configuration"
        rows={peers.value ?? []}
        keyOf={(peer) => peer.name}
        empty="The configuration names no peers."
        columns={[
          { name: 'Peer', of: (peer) => <b>{safe(peer.name)}</b> },
          { name: 'Addresses', wide: true, of: (peer) => safe(peer.addresses.join(', '), 400) },
          { name: 'Comes in at', of: (peer) => safe(peer.listeners.join(', ')) || 'any' },
          { name: 'Weight', number: true, of: (peer) => number(peer.weight) },
          { name: 'Topology', of: (peer) => (peer.hideTopology ? 'hidden' : 'shown') },
          { name: 'Overload control', of: (peer) => safe(peer.overload) },
        ]}
      />
      <h2>Banned sources</h2>
      {deed.told}
      <Failed failure={bans.failure} />
      <Table
        caption="Banned sources"
        rows={bans.value ?? []}
        empty="Nobody is banned."
        keyOf={(ban) => ban.address}
        columns={[
          { name: 'Source', of: (ban) => <Alien text={ban.address} /> },
          { name: 'Why', wide: true, of: (ban) => <Alien text={ban.reason} /> },
          { name: 'Failures', number: true, of: (ban) => number(ban.failures) },
          { name: 'Dropped since', number: true, of: (ban) => number(ban.dropped) },
          { name: 'Not listened to', of: (ban) => (ban.credentialsOnly ? 'credentials by WebSocket' : ban.datagramsOnly ? 'datagrams' : 'anything') },
          { name: 'Ends in', number: true, of: (ban) => duration(ban.secondsLeft) },
        ]}
        action={may('operator') && ((ban) => <button type="button" onClick={() => lift(ban)} aria-label={`Lift the ban of ${safe(ban.address)}`}>Lift</button>)}
      />
    </Page>
  );
}

const shown = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value);

export function Cluster() {
  const { value: view, failure } = useAnswer('/cluster', 2000);
  if (failure?.status === 404 || (failure && !view)) {
    return (
      <Page title="Cluster">
        {failure.status === 404 ? <p class="empty">This server is in no cluster (docs/guides/clustering.md).</p> : <Failed failure={failure} />}
      </Page>
    );
  }
  if (!view) return <Page title="Cluster"><p class="empty" role="status">Asking …</p></Page>;
  const most = Math.max(1, ...view.members.map((m) => m.owns));
  return (
    <Page title="Cluster" aside={<span class={view.lease ? 'badge good' : 'badge warn'}>{view.lease ? 'may act' : 'may not act'}</span>}>
      <p class="soft">{safe(view.name)}, seen by node {view.self} ({safe(view.state)}{view.leads ? ', leads the votes' : ''}), table version {number(view.version)}</p>
      <Failed failure={failure} />
      {view.orphans > 0 && <p class="notice bad" role="alert">{count(view.orphans, 'partition')} without an owner: their calls wait.</p>}
      {view.singleCopies > 0 && <p class="notice warn">{count(view.singleCopies, 'partition')} with too few copies.</p>}
      <ol class="map" aria-label="Members">
        {view.members.map((m) => (
          <li key={m.number} class={`card ${m.seen || m.number === view.self ? '' : 'away'}`}>
            <h2>Node {m.number}{m.number === view.self && ' (this one)'}</h2>
            <p>{safe(m.address)}</p>
            <p><span class={m.seen || m.number === view.self ? 'badge good' : 'badge bad'}>{safe(m.standing)}{m.health && `, ${safe(m.health)}`}</span></p>
            <meter min="0" max={most} value={m.owns} aria-label={`Partitions of node ${m.number}`} />
            <p>{count(m.owns, 'partition')}, next of {number(m.next)}{m.votes ? ', votes' : ''}</p>
            {m.build && <p class="soft">{safe(m.build)}</p>}
          </li>
        ))}
      </ol>
      <dl class="facts">
        <dt>Protected calls</dt><dd>{number(view.calls.isProtected)}</dd>
        <dt>Unprotected</dt><dd>{Object.entries(view.calls.unprotected).map(([why, n]) => `${number(n)} ${safe(why)}`).join(', ') || 'none'}</dd>
        <dt>Taken over</dt><dd>{number(view.calls.takenOver)}, waiting {number(view.calls.waiting)}, lost {number(view.calls.lost)}</dd>
        <dt>Records here</dt><dd>{number(view.records)}, oldest unanswered batch {number(view.calls.lagMillis)} ms</dd>
      </dl>
    </Page>
  );
}

export function Configuration({ may }) {
  const answer = useAnswer('/configuration');
  const changes = useAnswer('/configuration/changes');
  const [text, setText] = useState('');
  const [own, setOwn] = useState(true);
  const deed = useDeed();
  const rows = (answer.value ?? []).filter((one) => (!own || !/^default/i.test(one.origin)) && `${one.key} ${one.value} ${one.origin}`.toLowerCase().includes(text.toLowerCase()));
  const reload = async () => {
    await deed.run(() => api('POST', '/configuration/reload'), 'Read again.');
    answer.again();
    changes.again();
  };
  return (
    <Page title="Configuration" aside={may('operator') && <button type="button" onClick={reload} disabled={deed.busy}>Read again</button>}>
      {deed.told}
      <Failed failure={answer.failure} />
      {changes.failure && <Failed failure={changes.failure} />}
      {(changes.value ?? []).length > 0 && (
        <>
          <h2>Changed on disk</h2>
          <Table
            caption="What reading the configuration again would change"
            rows={changes.value}
            empty=""
            columns={[
              { name: 'Key', of: (one) => <code>{safe(one.key)}</code> },
              { name: 'Now', wide: true, of: (one) => <Alien text={one.before} /> },
              { name: 'Then', wide: true, of: (one) => <Alien text={one.after} /> },
              { name: 'By', of: (one) => (one.reload ? 'reading again' : 'a restart') },
            ]}
          />
        </>
      )}
      <form class="filter" role="search" onSubmit={(e) => e.preventDefault()}>
        <Field label="Search"><input type="search" value={text} data-search onInput={(e) => setText(e.target.value)} /></Field>
        <label class="check"><input type="checkbox" checked={own} onChange={(e) => setOwn(e.target.checked)} /> only what somebody has set</label>
      </form>
      <Table
        caption="Values and where they come from"
        rows={rows}
        keyOf={(one) => one.key}
        empty={answer.loading ? 'Asking …' : own ? 'Nobody has set anything: all values are the defaults.' : 'No key is like that.'}
        columns={[
          { name: 'Key', of: (one) => <code>{safe(one.key)}</code> },
          { name: 'Value', wide: true, of: (one) => <Alien text={one.value} longest={300} /> },
          { name: 'From', wide: true, of: (one) => <Alien text={one.origin} longest={300} /> },
          { name: 'Changes by', of: (one) => (one.reload ? 'reading again' : 'a restart') },
        ]}
      />
    </Page>
  );
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];
const MOST_LINES = 1000;

export function Logs({ may }) {
  const [lines, setLines] = useState([]);
  const [least, setLeast] = useState('info');
  const [text, setText] = useState('');
  const [held, setHeld] = useState(false);
  const [failure, setFailure] = useState(null);
  const waiting = useRef([]);
  const stopped = useRef(false);
  stopped.current = held;
  const add = (more) =>
    setLines((before) => {
      const last = before.at(-1)?.sequence ?? 0;
      return [...before, ...more.filter((line) => line.sequence > last)].slice(-MOST_LINES);
    });
  useEffect(() => {
    get('/logs?limit=500').then(add, setFailure);
  }, []);
  const state = useEvents('/events?topics=log', {
    log: (news) => {
      const more = Array.isArray(news) ? news : [news];
      if (stopped.current) waiting.current = [...waiting.current, ...more].slice(-MOST_LINES);
      else add(more);
    },
  });
  const go = () => {
    setHeld(!held);
    if (held) {
      add(waiting.current);
      waiting.current = [];
    }
  };
  const shownLines = lines.filter((line) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(least) && `${line.logger} ${line.text}`.toLowerCase().includes(text.toLowerCase()));
  const levels = useAnswer('/logs/levels');
  const deed = useDeed();
  const [logger, setLogger] = useState('');
  const [level, setLevel] = useState('debug');
  const set = async (e) => {
    e.preventDefault();
    await deed.run(() => api('PUT', '/logs/levels', { level, logger: logger.trim() }), `${logger.trim() || 'All loggers'}: ${level}, until the next start.`);
    levels.again();
  };
  const reset = async () => {
    await deed.run(() => api('DELETE', '/logs/levels'), 'The configured levels hold again.');
    levels.again();
  };
  return (
    <Page title="Log" aside={<button type="button" aria-pressed={held} onClick={go}>{held ? 'Go on' : 'Hold still'}</button>}>
      <form class="filter" role="search" onSubmit={(e) => e.preventDefault()}>
        <Field label="Level"><select value={least} onChange={(e) => setLeast(e.target.value)}>{LEVELS.map((l) => <option key={l} value={l}>{l} and above</option>)}</select></Field>
        <Field label="Search"><input type="search" value={text} data-search onInput={(e) => setText(e.target.value)} /></Field>
      </form>
      <Failed failure={failure} />
      <p class="soft" role="status">{count(shownLines.length, 'line')}{state === 'open' ? held ? ', held' : ', new ones on top as they come' : ''}</p>
      {shownLines.length === 0 ? <p class="empty">No line is like that.</p> : (
        <div class="lines" role="region" aria-label="Lines of the log" tabIndex={0}><ol>
          {shownLines.toReversed().map((line) => (
            <li key={line.sequence} class={line.level}>
              <time dateTime={line.time}>{clock(line.time, true)}</time> <b>{safe(line.level)}</b> <span class="soft">{safe(line.logger.split('.').at(-1))}</span> <Alien text={line.text} longest={1000} />
            </li>
          ))}
        </ol></div>
      )}
      {may('operator') && (
        <>
          <h2>Levels</h2>
          {deed.told}
          <p>{Object.entries(levels.value ?? {}).map(([name, l]) => `${safe(name) || 'all others'}: ${safe(shown(l))}`).join('; ') || '–'}</p>
          <form class="filter" onSubmit={set}>
            <Field label="Logger" hint="As io.carillon.net; empty: all"><input value={logger} maxLength={255} onInput={(e) => setLogger(e.target.value)} /></Field>
            <Field label="New level"><select value={level} onChange={(e) => setLevel(e.target.value)}>{[...LEVELS, 'off'].map((l) => <option key={l}>{l}</option>)}</select></Field>
            <button type="submit" class="main">Set</button>
            <button type="button" onClick={reset}>Reset all</button>
          </form>
        </>
      )}
    </Page>
  );
}

export function Users({ may }) {
  const [text, setText] = useState('');
  const [before, setBefore] = useState([{}]);
  const settled = useSettled(text);
  useEffect(() => setBefore([{}]), [settled]);
  const answer = useAnswer(`/users${query({ text: settled, limit: PAGE + 1, after: before.at(-1).name, afterRealm: before.at(-1).realm })}`, 10000);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [going, setGoing] = useState(null);
  const deed = useDeed();
  const add = async (e) => {
    e.preventDefault();
    const done = await deed.run(() => api('POST', '/users', { name: name.trim(), password, roles: null }), `Added ${name.trim()}.`);
    if (done !== undefined) {
      setName('');
      setPassword('');
    }
    answer.again();
  };
  const remove = async () => {
    const user = going;
    setGoing(null);
    await deed.run(() => api('DELETE', `/users/${encodeURIComponent(user.name)}${query({ realm: user.realm })}`), `Removed ${user.name}.`);
    answer.again();
  };
  const found = answer.value ?? [];
  const rows = found.slice(0, PAGE);
  return (
    <Page title="Users">
      <p class="soft">Who may register and call.</p>
      {deed.told}
      <Failed failure={answer.failure} />
      <form class="filter" role="search" onSubmit={(e) => e.preventDefault()}>
        <Field label="Search"><input type="search" value={text} data-search onInput={(e) => setText(e.target.value)} /></Field>
      </form>
      <Table
        caption="Users of applications"
        rows={rows}
        keyOf={(user) => `${user.realm} ${user.name}`}
        empty={text ? 'No user is like that.' : 'There is no user so far.'}
        columns={[
          { name: 'User', of: (user) => <Alien text={user.name} /> },
          { name: 'Realm', of: (user) => safe(user.realm) },
          { name: 'Roles', wide: true, of: (user) => safe(user.roles.join(', ')) || 'none' },
        ]}
        action={may('admin') && ((user) => <button type="button" onClick={() => setGoing(user)} aria-label={`Remove ${safe(user.name)}`}>Remove</button>)}
      />
      {(found.length > PAGE || before.length > 1) && (
        <nav class="pages" aria-label="Pages of users">
          <button type="button" disabled={before.length < 2} onClick={() => setBefore(before.slice(0, -1))}>Back</button>
          <span>Page {number(before.length)}</span>
          <button type="button" disabled={found.length <= PAGE} onClick={() => setBefore([...before, rows.at(-1)])}>Next</button>
        </nav>
      )}
      {may('admin') && (
        <>
          <h2>Add</h2>
          <form class="filter" onSubmit={add}>
            <Field label="Name"><input required value={name} maxLength={200} autoComplete="off" onInput={(e) => setName(e.target.value)} /></Field>
            <Field label="Password of the user"><input required type="password" value={password} autoComplete="new-password" onInput={(e) => setPassword(e.target.value)} /></Field>
            <button type="submit" class="main" disabled={deed.busy}>Add</button>
          </form>
        </>
      )}
      {going && <Confirm text={<>{safe(going.name)} can no longer register or call.</>} yes="Remove" onYes={remove} onNo={() => setGoing(null)} />}
    </Page>
  );
}

/** How it stood before a change, and after; nothing where the log has neither. */
function Change({ one }) {
  if (!one.before && !one.after) return null;
  return (
    <details>
      <summary>Show</summary>
      <dl>
        <dt>Before</dt>
        <dd><Alien text={one.before ?? ''} /></dd>
        <dt>After</dt>
        <dd><Alien text={one.after ?? ''} /></dd>
      </dl>
    </details>
  );
}

export function Access() {
  const accounts = useAnswer('/accounts', 10000);
  const tokens = useAnswer('/tokens', 10000);
  const audit = useAnswer('/audit?limit=200', 5000);
  return (
    <Page title="Access">
      <h2>Accounts</h2>
      <Failed failure={accounts.failure} />
      <Table
        caption="Accounts of administrators"
        rows={accounts.value ?? []}
        keyOf={(one) => one.name}
        empty="There is none."
        columns={[
          { name: 'Account', of: (one) => <b>{safe(one.name)}</b> },
          { name: 'Roles', of: (one) => safe(one.roles.join(', ')) },
          { name: 'Made', of: (one) => moment(one.created) },
          { name: 'Tokens', number: true, of: (one) => number(one.tokens) },
        ]}
      />
      <h2>Tokens</h2>
      <Failed failure={tokens.failure} />
      <Table
        caption="Tokens"
        rows={tokens.value ?? []}
        keyOf={(one) => one.id}
        empty="There is none."
        columns={[
          { name: 'Token', of: (one) => safe(one.id) },
          { name: 'Account', of: (one) => safe(one.account) },
          { name: 'For', of: (one) => <Alien text={one.label} /> },
          { name: 'Until', of: (one) => moment(one.expires) },
        ]}
      />
      <h2>Audit log</h2>
      <Failed failure={audit.failure} />
      <Table
        caption="What was changed, and by whom"
        rows={(audit.value ?? []).toReversed()}
        empty="Nothing was changed."
        columns={[
          { name: 'When', of: (one) => moment(one.time) },
          { name: 'Who', of: (one) => <Alien text={one.who} /> },
          { name: 'From', of: (one) => <Alien text={one.from} /> },
          { name: 'What', of: (one) => <Alien text={one.what} /> },
          { name: 'On', of: (one) => <Alien text={one.on} /> },
          { name: 'Came to', of: (one) => safe(one.stage) },
          { name: 'Before and after', wide: true, of: (one) => <Change one={one} /> },
        ]}
      />
    </Page>
  );
}
