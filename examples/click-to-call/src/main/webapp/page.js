'use strict';

const TEXTS = {
  'calling-a': 'Calling your phone',
  'a-rings': 'Your phone rings',
  'a-answered': 'You answered; calling the other phone',
  'b-rings': 'The other phone rings',
  'b-answered': 'The other phone answered',
  'connected': 'Connected',
  'ended': 'Ended',
};
const WHO = { A: 'your phone', B: 'the other phone' };
const form = document.getElementById('dial');
const problem = document.getElementById('problem');
const list = document.getElementById('calls');

function text(call) {
  const why = call.why.replace(/\b([AB])\b/g, (leg) => WHO[leg]);
  return TEXTS[call.state] + (why ? ': ' + why : '');
}

async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch (unreachable) {
    throw new Error('The server cannot be reached.');
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(answer.error || 'The server answered ' + response.status + '.');
  }
  return answer;
}

// One entry of the list; everything that comes from elsewhere is set as text, never as HTML.
function entry(call) {
  const item = document.getElementById('entry').content.firstElementChild.cloneNode(true);
  item.dataset.id = call.id;
  item.querySelector('.a').textContent = call.from;
  item.querySelector('.b').textContent = call.to;
  const button = item.querySelector('.hangup');
  button.setAttribute('aria-label', 'Hang up the call to ' + call.to);
  button.addEventListener('click', () => hangUp(call.id, button));
  list.prepend(item);
  document.getElementById('none').hidden = true;
  return item;
}

function show(item, call) {
  item.className = 'entry ' + call.state;
  item.querySelector('.text').textContent = text(call);
  const step = document.createElement('li');
  step.textContent = text(call);
  step.dataset.state = call.state;
  item.querySelector('.history').append(step);
  document.getElementById('now').textContent = text(call);
}

function watch(call) {
  const item = entry(call);
  const events = new EventSource('calls/' + call.id + '/events');
  events.onmessage = (event) => {
    const now = JSON.parse(event.data);
    show(item, now);
    if (now.state === 'ended') {
      events.close();
    }
  };
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) {
      show(item, { ...call, state: 'ended', why: 'the server no longer knows this call' });
    }
  };
}

async function hangUp(id, button) {
  button.disabled = true;
  try {
    await ask('DELETE', 'calls/' + id);
  } catch (error) {
    button.disabled = false;
    problem.textContent = error.message;
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  const empty = [form.from, form.to].filter((field) => !field.value.trim());
  for (const field of [form.from, form.to]) {
    field.setAttribute('aria-invalid', String(empty.includes(field)));
  }
  if (empty.length) {
    problem.textContent = 'Both addresses are needed.';
    empty[0].focus();
    return;
  }
  form.call.disabled = true;
  try {
    watch(await ask('POST', 'calls', { from: form.from.value.trim(), to: form.to.value.trim() }));
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    form.call.disabled = false;
  }
});

ask('GET', 'calls').then((answer) => answer.calls.forEach(watch), () => {});
