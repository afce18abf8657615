// <carillon-click-to-call to="sip:bob@example.com" label="Call Bob"> and <carillon-call-notification>.
import { ask, listen } from './client.js';

const style = `
  :host { display: block; font: inherit; color: inherit; }
  :host([hidden]) { display: none; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; }
  button {
    font: inherit; font-weight: 600; min-height: 44px; padding: .5rem 1.25rem; border-radius: 999px;
    border: 2px solid transparent; cursor: pointer; color: #fff; background: var(--carillon-call, #14684a);
  }
  button:hover { filter: brightness(1.1); }
  button:focus-visible { outline: 3px solid var(--carillon-focus, #f0b429); outline-offset: 2px; }
  button[aria-disabled='true'] { opacity: .55; cursor: default; filter: none; }
  button.end { background: var(--carillon-end, #a3262a); }
  .row[hidden], button[hidden] { display: none; }
  .text { margin: 0; min-height: 1.5em; flex: 1 1 14rem; }
  .bad { color: var(--carillon-bad, #a3262a); font-weight: 600; }
  .dot { width: .7rem; height: .7rem; border-radius: 50%; background: currentColor; opacity: .35; }
  .live .dot { opacity: 1; color: var(--carillon-call, #14684a); animation: beat 1.4s ease-in-out infinite; }
  @keyframes beat { 50% { opacity: .3; } }
  @media (prefers-reduced-motion: reduce) { .live .dot { animation: none; } }
`;

const RANK = { 'calling-phone': 0, 'calling-other': 1, connected: 2, ended: 3 };

class ClickToCall extends HTMLElement {
  #call = null;
  #latest = null;
  #wish = null;
  #busy = false;
  #quietUntil = 0;
  #stop = [];

  connectedCallback() {
    if (!this.shadowRoot) this.#draw();
    this.#stop = [
      listen('call', (call) => this.#heard(call)),
      listen('connection', ({ lost }) => this.#connection(lost)),
    ];
    this.#catchUp();
  }

  disconnectedCallback() {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }

  #draw() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = `<style>${style}</style>
      <div class="row" part="row">
        <button type="button" part="button"></button>
        <span class="dot" aria-hidden="true"></span>
        <p class="text" part="text" role="status" aria-live="polite"></p>
      </div>`;
    this.#button.addEventListener('click', () => {
      // Who wanted to hang up as the other side did must not call again: the button has just changed.
      if (performance.now() < this.#quietUntil) return;
      if (this.#call) this.#hangUp();
      else this.#begin();
    });
    this.#show();
  }

  get #button() {
    return this.shadowRoot.querySelector('button');
  }

  async #catchUp() {
    try {
      const open = (await ask('GET', '/api/calls')).filter((call) => call.state !== 'ended');
      if (open.length && !this.#call) this.#heard(open.at(-1));
    } catch {
      // not signed in yet, or the server is away: the first click says so
    }
  }

  async #begin() {
    if (this.#busy) return; // a double click is one wish
    this.#busy = true;
    this.#wish ??= crypto.randomUUID();
    this.#show();
    try {
      this.#heard(await ask('POST', '/api/calls', { to: this.getAttribute('to') ?? '' }, { 'Idempotency-Key': this.#wish }));
    } catch (error) {
      this.#wish = null;
      this.#say(error.message, true);
    } finally {
      this.#busy = false;
      this.#show();
    }
  }

  async #hangUp() {
    if (this.#busy) return;
    this.#busy = true;
    this.#show();
    try {
      await ask('DELETE', `/api/calls/${encodeURIComponent(this.#call.id)}`);
    } catch (error) {
      if (error.status === 409 || error.status === 404) this.#over('The call has ended already.');
      else this.#say(error.message, true);
    } finally {
      this.#busy = false;
      this.#show();
    }
  }

  #heard(call) {
    // The answer to a click may come after events of the same call: what is older is no news.
    if (call.id === this.#latest?.id && RANK[call.state] <= RANK[this.#latest.state]) return;
    if (this.#call && call.id !== this.#call.id) return;
    this.#latest = call;
    if (call.state === 'ended') {
      if (this.#call || this.#busy) this.#over(call.text, call.reason && !call.reason.startsWith('hung-up'));
    } else {
      this.#call = call;
      this.#say(call.text);
      this.#show();
    }
    this.dispatchEvent(new CustomEvent('carillon-call', { detail: call, bubbles: true, composed: true }));
  }

  #connection(lost) {
    if (lost) {
      const next = this.#call ? 'Your call goes on; this page will catch up.' : 'This page will catch up.';
      this.#say(`The connection to the server is lost. ${next}`, true);
    } else {
      this.#say(this.#call ? this.#latest.text : '');
      this.#catchUp();
    }
  }

  #over(text, bad = false) {
    this.#call = null;
    this.#wish = null;
    if (!this.#busy) this.#quietUntil = performance.now() + 700;
    this.#say(text, bad);
    this.#show();
  }

  #say(text, bad = false) {
    const line = this.shadowRoot.querySelector('.text');
    line.textContent = text;
    line.classList.toggle('bad', bad);
  }

  #show() {
    const button = this.#button;
    button.textContent = this.#call ? 'Hang up' : this.getAttribute('label') || 'Call';
    button.classList.toggle('end', Boolean(this.#call));
    // Not disabled: a button that is loses the keyboard's focus.
    button.setAttribute('aria-disabled', String(this.#busy));
    this.shadowRoot.querySelector('.row').classList.toggle('live', Boolean(this.#call));
    this.toggleAttribute('in-call', Boolean(this.#call));
  }
}

class CallNotification extends HTMLElement {
  #id = null;
  #stop = null;

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = `<style>${style}</style>
        <div class="row live" part="row" role="alert" hidden>
          <span class="dot" aria-hidden="true"></span>
          <p class="text" part="text"></p>
          <button type="button" class="end" part="button">Decline</button>
        </div>`;
      root.querySelector('button').addEventListener('click', () => this.#decline());
    }
    this.#stop = listen('call-notification', (notification) => this.#heard(notification));
  }

  disconnectedCallback() {
    this.#stop?.();
  }

  #heard({ id, from, state }) {
    const row = this.shadowRoot.querySelector('.row');
    if (state === 'ended') {
      if (id === this.#id) {
        this.#id = null;
        row.hidden = true;
      }
      return;
    }
    this.#id = id;
    this.shadowRoot.querySelector('.text').textContent = state === 'ringing' ? `${from} is calling your phone.` : `You are talking to ${from}.`;
    this.shadowRoot.querySelector('button').hidden = state !== 'ringing';
    row.hidden = false;
  }

  async #decline() {
    try {
      await ask('DELETE', `/api/call-notifications/${encodeURIComponent(this.#id)}`);
    } catch (error) {
      this.shadowRoot.querySelector('.text').textContent = error.message;
    }
  }
}

customElements.define('carillon-click-to-call', ClickToCall);
customElements.define('carillon-call-notification', CallNotification);
