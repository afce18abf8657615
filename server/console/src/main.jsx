import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './console.css';
import { alerts } from './alerts.js';
import { onSignedOut, session, signIn, signOut, useAnswer, useEvents } from './api.js';
import { Applications, Routes } from './applications.jsx';
import { Calls, OneCall, Registrations, Traces } from './calls.jsx';
import { emptyHistory, withStatus } from './live.js';
import { Alerts, Overview } from './overview.jsx';
import { Access, Cluster, Configuration, Logs, Peers, Users } from './server.jsx';
import { number, safe } from './text.js';
import { Failed, Field, Page } from './ui.jsx';

const PAGES = [
  ['', 'Overview', Overview],
  ['alerts', 'Alerts', Alerts],
  ['calls', 'Calls', Calls],
  ['traces', 'Traces', Traces],
  ['applications', 'Applications', Applications],
  ['routes', 'Routes', Routes],
  ['peers', 'Peers', Peers],
  ['registrations', 'Registrations', Registrations],
  ['users', 'Users', Users],
  ['cluster', 'Cluster', Cluster],
  ['configuration', 'Configuration', Configuration],
  ['logs', 'Log', Logs],
  ['access', 'Access', Access, 'admin'],
];

const within = (roles, wanted) => roles.includes(wanted) || roles.includes('admin') || (wanted === 'viewer' && roles.length > 0);

function useHash() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  return hash.replace(/^#\/?/, '');
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a hash that somebody typed
  }
}

const THEMES = ['system', 'light', 'dark'];

function useTheme() {
  const [theme, setTheme] = useState(() => {
    const kept = localStorage.getItem('carillon-theme');
    return THEMES.includes(kept) ? kept : 'system';
  });
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem('carillon-theme', theme);
    window.dispatchEvent(new Event('carillon-theme'));
  }, [theme]);
  return [theme, setTheme];
}

function SignIn({ onIn }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);
  const first = useRef(null);
  const ways = useAnswer('/session/ways').value;
  useEffect(() => {
    document.title = 'Sign in – Carillon';
    first.current?.querySelector('input')?.focus();
  }, []);
  const submit = async (e) => {
    e.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      onIn(await signIn(name, password));
    } catch (f) {
      setFailure(f);
      setPassword('');
    }
    setBusy(false);
  };
  return (
    <main class="signin" id="main">
      <form class="card" onSubmit={submit} ref={first}>
        <h1>Carillon</h1>
        <Field label="Account"><input required value={name} autoComplete="username" maxLength={64} onInput={(e) => setName(e.target.value)} /></Field>
        <Field label="Password"><input required type="password" value={password} autoComplete="current-password" maxLength={200} onInput={(e) => setPassword(e.target.value)} /></Field>
        <Failed failure={failure} />
        <button type="submit" class="main" disabled={busy}>{busy ? 'Signing in …' : 'Sign in'}</button>
        {ways?.oidc && <p><a href="/api/v1/oidc/login">Sign in at the issuer</a></p>}
        <p class="soft">The first account is made on the server: <code>./carillon admin add NAME --role admin</code></p>
      </form>
    </main>
  );
}

function Frame({ who, onOut }) {
  const path = useHash();
  const [history, setHistory] = useState(emptyHistory);
  const [applications, setApplications] = useState(null);
  const [theme, setTheme] = useTheme();
  const [open, setOpen] = useState(false);
  const may = (role) => within(who.roles, role);
  const live = useEvents('/events?topics=status,applications', {
    status: (status) => setHistory((before) => withStatus(before, status)),
    applications: setApplications,
  });
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const pressed = (e) => {
      if (e.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && !e.ctrlKey && !e.metaKey && !e.altKey) {
        const search = document.querySelector('[data-search]');
        if (search) {
          e.preventDefault();
          search.focus();
        }
      }
      if (e.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const [name, ...rest] = path.split('/');
  const argument = decoded(rest.join('/'));
  const found = PAGES.find(([key, , , role]) => key === name && (!role || may(role)));
  const Shown = found?.[2];
  const urgent = alerts(history).length;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.querySelector('h1')?.focus(); }}>To the page</a>
      <header>
        <button type="button" class="menu" aria-expanded={open} aria-controls="nav" onClick={() => setOpen(!open)}>Menu</button>
        <a class="brand" href="#/">Carillon</a>
        <span class={live === 'open' ? 'live' : 'live off'} role="status">{live === 'open' ? 'live' : 'connecting …'}</span>
        <span class="who">{safe(who.account)} ({safe(who.roles.join(', '))})</span>
        <label class="away" for="theme">Colours</label>
        <select id="theme" value={theme} onChange={(e) => setTheme(e.target.value)}>{THEMES.map((t) => <option key={t}>{t}</option>)}</select>
        <button type="button" class="out" onClick={onOut}>Sign out</button>
      </header>
      <div class="body">
        <nav id="nav" class={open ? 'open' : ''} aria-label="Pages">
          <ul>
            {PAGES.filter(([, , , role]) => !role || may(role)).map(([key, title]) => (
              <li key={key}>
                <a href={`#/${key}`} aria-current={key === name ? 'page' : undefined}>
                  {title}
                  {key === 'alerts' && urgent > 0 && <span class="count">{number(urgent)}<span class="away"> to look at</span></span>}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main">
          {!Shown ? <Page title="No such page"><p class="empty"><a href="#/">To the overview</a></p></Page>
            : name === 'calls' && argument ? <OneCall key={argument} id={argument} may={may} />
              : <Shown key={name} history={history} may={may} live={name === 'applications' ? applications : undefined} />}
        </main>
      </div>
    </>
  );
}

function Console() {
  const [who, setWho] = useState(undefined);
  const [failure, setFailure] = useState(null);
  useEffect(() => {
    onSignedOut(() => setWho(null));
    session().then(setWho, setFailure);
  }, []);
  if (failure) return <main class="signin"><Failed failure={failure} /></main>;
  if (who === undefined) return <main class="signin"><p role="status">Asking the server …</p></main>;
  if (who === null) return <SignIn onIn={setWho} />;
  return <Frame who={who} onOut={() => signOut().finally(() => setWho(null))} />;
}

render(<Console />, document.getElementById('console'));
