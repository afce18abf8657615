// What the components share: one event stream and one way to ask. No framework.
const listeners = new Map();
let source = null;
let opened = false;
let lost = false;

function tell(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}

function open() {
  if (source) return;
  source = new EventSource('/api/events');
  for (const name of ['call', 'call-notification', 'messages']) {
    source.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  }
  source.addEventListener('open', () => {
    if (lost) tell('connection', { lost: false });
    opened = true;
    lost = false;
  });
  source.addEventListener('error', () => {
    // Who is not signed in gets no stream: nothing is lost then.
    if (opened && !lost) {
      lost = true;
      tell('connection', { lost: true });
    }
    // A browser gives up after a refusal; a server that starts again is found again.
    if (source && source.readyState === EventSource.CLOSED) {
      close();
      setTimeout(() => listeners.size && open(), 3000);
    }
  });
}

function close() {
  source?.close();
  source = null;
}

/** Hears events of the user: 'call', 'call-notification', 'messages', 'connection'. Gives what ends it. */
export function listen(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  open();
  return () => {
    listeners.get(name)?.delete(listener);
    if (listeners.get(name)?.size === 0) listeners.delete(name);
    if (listeners.size === 0) close();
  };
}

/** After a sign-in or sign-out: the stream belongs to somebody else. */
export function reopen() {
  close();
  opened = false;
  lost = false;
  if (listeners.size) open();
}

/** Asks the API; a refusal is an Error whose message is a sentence for the user. */
export async function ask(method, path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error('The server cannot be reached. Please try again.');
  }
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  let problem = {};
  try {
    problem = await answer.json();
  } catch {
    // no problem document: the status has to do
  }
  const error = new Error(problem.detail ?? `The server refused it (${answer.status}).`);
  error.status = answer.status;
  error.type = problem.type;
  throw error;
}
