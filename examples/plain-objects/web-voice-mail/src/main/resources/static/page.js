import { ask, listen, reopen } from '/carillon/client.js';

const at = (id) => document.getElementById(id);
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
let last = null;

function log(text) {
  const line = document.createElement('li');
  const when = document.createElement('time');
  when.textContent = time.format(new Date());
  line.append(when, ` ${text}`);
  at('log').prepend(line);
  while (at('log').children.length > 20) at('log').lastChild.remove();
}

function count(fresh) {
  at('number').textContent = String(fresh);
  at('words').textContent = fresh === 0 ? 'No new messages.' : fresh === 1 ? 'One new message.' : `${fresh} new messages.`;
}

function showMessages({ fresh, available }) {
  if (!available) {
    at('words').textContent = 'The voice mail does not say how many messages there are.';
    return;
  }
  count(fresh);
  if (last !== null && fresh > last) log(fresh - last === 1 ? 'A new message arrived.' : `${fresh - last} new messages arrived.`);
  last = fresh;
}

function showSignedIn(user) {
  at('sign-in').hidden = Boolean(user);
  at('personal').hidden = !user;
  at('sign-out').hidden = !user;
  if (user) {
    at('who').textContent = user;
    sessionStorage.setItem('user', user);
    reopen();
  } else {
    sessionStorage.removeItem('user');
    document.querySelector('#sign-in input').focus();
  }
}

at('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  at('problem').textContent = '';
  try {
    const { user } = await ask('POST', '/api/sign-ins', Object.fromEntries(new FormData(form)));
    form.reset();
    showSignedIn(user);
  } catch (error) {
    at('problem').textContent = error.message;
  }
});

at('sign-out').addEventListener('click', async () => {
  await ask('DELETE', '/api/sign-ins').catch(() => {});
  showSignedIn(null);
});

listen('messages', showMessages);
document.addEventListener('carillon-call', ({ detail }) => {
  if (detail.text) log(detail.text);
  if (detail.state === 'connected') last = null;
});

try {
  await ask('GET', '/api/calls');
  showSignedIn(sessionStorage.getItem('user') ?? 'you');
} catch (error) {
  showSignedIn(null);
}
