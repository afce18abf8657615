// Phones and a voice mail server that say what the test wants, over UDP on loopback. No more of SIP than the test needs.
import dgram from 'node:dgram';
import { randomUUID } from 'node:crypto';

const token = () => randomUUID().slice(0, 8);

function parse(text) {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [start, ...lines] = head.split('\r\n');
  const headers = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    (headers[line.slice(0, colon).trim().toLowerCase()] ??= []).push(line.slice(colon + 1).trim());
  }
  return { start, method: start.startsWith('SIP/') ? null : start.split(' ')[0], status: start.startsWith('SIP/') ? Number(start.split(' ')[1]) : 0, headers, body: rest.join('\r\n\r\n') };
}

const uriOf = (address) => /<([^>]+)>/.exec(address)?.[1] ?? address.split(';')[0];

export class Agent {
  calls = [];
  subscription = null;
  mode = 'answer';

  static async open(name, port) {
    const agent = new Agent();
    agent.name = name;
    agent.port = port;
    agent.socket = dgram.createSocket('udp4');
    agent.socket.on('message', (bytes, from) => agent.#received(parse(bytes.toString()), from));
    await new Promise((resolve) => agent.socket.bind(port, '127.0.0.1', resolve));
    return agent;
  }

  close() {
    return new Promise((resolve) => this.socket.close(resolve));
  }

  get uri() {
    return `sip:${this.name}@127.0.0.1:${this.port}`;
  }

  get sdp() {
    return `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${this.port + 1000} RTP/AVP 0\r\n`;
  }

  #send(text, to) {
    this.socket.send(text, to.port, to.address);
  }

  #answer(request, from, status, reason, tag, extra = [], body = '') {
    const to = request.headers.to[0];
    const lines = [`SIP/2.0 ${status} ${reason}`];
    for (const via of request.headers.via) lines.push(`Via: ${via}`);
    lines.push(`From: ${request.headers.from[0]}`, `To: ${/;tag=/.test(to) || status === 100 ? to : `${to};tag=${tag}`}`);
    lines.push(`Call-ID: ${request.headers['call-id'][0]}`, `CSeq: ${request.headers.cseq[0]}`, ...extra);
    if (body) lines.push('Content-Type: application/sdp');
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`, '', body);
    this.#send(lines.join('\r\n'), from);
  }

  #received(message, from) {
    if (!message.method) return; // answers to what we sent
    const callId = message.headers['call-id'][0];
    const call = this.calls.find((known) => known.id === callId);
    switch (message.method) {
      case 'INVITE':
        if (!call) this.#invited(message, from);
        break;
      case 'ACK':
        if (call && call.state === 'answered') call.state = 'talking';
        break;
      case 'CANCEL':
        this.#answer(message, from, 200, 'OK', call?.tag ?? token());
        if (call && call.state === 'ringing') {
          call.state = 'ended';
          this.#answer(call.invite, call.from, 487, 'Request Terminated', call.tag);
        }
        break;
      case 'BYE':
        this.#answer(message, from, 200, 'OK', call?.tag ?? token());
        if (call) call.state = 'ended';
        break;
      case 'SUBSCRIBE':
        this.#subscribed(message, from);
        break;
      default:
        this.#answer(message, from, 200, 'OK', token());
    }
  }

  #invited(invite, from) {
    const call = { id: invite.headers['call-id'][0], tag: token(), invite, from, state: 'ringing', cseq: 1 };
    this.calls.push(call);
    if (this.mode === 'busy') {
      call.state = 'ended';
      this.#answer(invite, from, 486, 'Busy Here', call.tag);
      return;
    }
    this.#answer(invite, from, 180, 'Ringing', call.tag, [`Contact: <${this.uri}>`]);
    if (this.mode === 'answer') this.answer();
  }

  /** Answers the last call. */
  answer() {
    const call = this.calls.at(-1);
    call.state = 'answered';
    this.#answer(call.invite, call.from, 200, 'OK', call.tag, [`Contact: <${this.uri}>`], this.sdp);
  }

  /** Hangs the last call up. */
  hangUp() {
    const call = this.calls.at(-1);
    call.state = 'ended';
    this.#request('BYE', call, []);
  }

  #request(method, dialog, extra, body = '') {
    const { invite, from, tag } = dialog;
    const lines = [
      `${method} ${uriOf(invite.headers.contact[0])} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bK${token()}`,
      'Max-Forwards: 70',
      `From: ${invite.headers.to[0].replace(/;tag=.*/, '')};tag=${tag}`,
      `To: ${invite.headers.from[0]}`,
      `Call-ID: ${dialog.id}`,
      `CSeq: ${dialog.cseq++} ${method}`,
      `Contact: <${this.uri}>`,
      ...extra,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ];
    this.#send(lines.join('\r\n'), from);
  }

  #subscribed(subscribe, from) {
    const id = subscribe.headers['call-id'][0];
    if (this.subscription?.id !== id) this.subscription = { id, tag: token(), invite: subscribe, from, cseq: 1, ended: false };
    const over = subscribe.headers.expires?.[0] === '0';
    this.#answer(subscribe, from, 200, 'OK', this.subscription.tag, [`Contact: <${this.uri}>`, `Expires: ${over ? 0 : 3600}`]);
    if (over) this.subscription.ended = true;
    this.notify(this.waiting ?? 0);
  }

  /** Tells how many messages there are (RFC 3842). */
  notify(messages) {
    this.waiting = messages;
    const body = `Messages-Waiting: ${messages > 0 ? 'yes' : 'no'}\r\nVoice-Message: ${messages}/0\r\n`;
    const state = this.subscription.ended ? 'terminated;reason=timeout' : 'active;expires=3600';
    this.#request('NOTIFY', this.subscription, ['Event: message-summary', `Subscription-State: ${state}`, 'Content-Type: application/simple-message-summary'], body);
  }
}
