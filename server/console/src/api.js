// The REST interface of the server, which docs/guides/administration.md tells. The session is a cookie that this page cannot read;
// what a change has to bring besides is kept in memory alone.
import { useEffect, useRef, useState } from 'preact/hooks';

const ROOT = '/api/v1';
let csrf = '';
let signedOut = () => {};

export class Failure extends Error {
  constructor(status, detail, retryAfter = 0) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export function onSignedOut(handler) {
  signedOut = handler;
}

export async function api(method, path, body, { raw = false, signal } = {}) {
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-CSRF-Token'] = csrf;
  if (body !== undefined && !raw) headers['Content-Type'] = 'application/json';
  if (raw) headers['Content-Type'] = 'application/octet-stream';
  let response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Failure(0, 'the server does not answer');
  }
  const text = await response.text();
  if (!response.ok) {
    let detail = response.statusText;
    try {
      detail = JSON.parse(text).detail ?? detail;
    } catch {
      // no problem of ours: the status has to do
    }
    if (response.status === 401 && path !== '/session') signedOut();
    throw new Failure(response.status, detail || `status ${response.status}`, Number(response.headers.get('Retry-After')) || 0);
  }
  return text === '' ? null : JSON.parse(text);
}

export const get = (path, options) => api('GET', path, undefined, options);

export function query(values) {
  const parts = Object.entries(values).filter(([, value]) => value !== '' && value != null && value !== false);
  return parts.length === 0 ? '' : '?' + parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/** The session that this browser has; null: none. */
export async function session() {
  try {
    const shown = await get('/session');
    csrf = shown.csrf;
    return shown;
  } catch (e) {
    if (e.status === 401) return null;
    throw e;
  }
}

export async function signIn(name, password) {
  const shown = await api('POST', '/session', { name, password });
  csrf = shown?.csrf ?? '';
  return shown?.csrf === undefined ? session() : shown;
}

export async function signOut() {
  await api('DELETE', '/session');
  csrf = '';
}

/** What a path answers, asked again so many milliseconds after each answer; 0: once. */
export function useAnswer(path, every = 0) {
  const [state, setState] = useState({ value: null, failure: null, loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!path) return undefined;
    const abort = new AbortController();
    let timer;
    const ask = async () => {
      try {
        const value = await get(path, { signal: abort.signal });
        setState({ value, failure: null, loading: false });
      } catch (e) {
        if (e.name === 'AbortError') return;
        setState((before) => ({ value: before.value, failure: e, loading: false }));
      }
      if (every > 0 && !abort.signal.aborted) timer = setTimeout(() => (document.hidden ? (timer = setTimeout(ask, every)) : ask()), every);
    };
    setState((before) => ({ ...before, loading: true }));
    ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [path, every, turn]);
  return { ...state, again: () => setTurn((before) => before + 1) };
}

const AGAIN = 5000;

/**
 * Events of the server, until the page that asked goes away. A browser tries again by itself where the connection broke; where the
 * server refused, as after its start or for a session that is over, it does not: then this asks what the session is, and opens again.
 */
export function useEvents(path, handlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  const [state, setState] = useState('connecting');
  useEffect(() => {
    if (!path) return undefined;
    let source;
    let timer;
    let over = false;
    const later = () => {
      if (!over) timer = setTimeout(look, AGAIN);
    };
    const look = async () => {
      try {
        if ((await session()) === null) {
          if (!over) signedOut();
          return;
        }
        if (!over) open();
      } catch {
        later(); // it starts, or is away
      }
    };
    const open = () => {
      source = new EventSource(ROOT + path);
      source.onopen = () => setState('open');
      source.onerror = () => {
        setState('connecting');
        if (source.readyState === EventSource.CLOSED) later();
      };
      for (const name of Object.keys(latest.current)) {
        source.addEventListener(name, (event) => latest.current[name](JSON.parse(event.data)));
      }
    };
    open();
    return () => {
      over = true;
      clearTimeout(timer);
      source.close();
    };
  }, [path]);
  return state;
}
