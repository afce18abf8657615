// A server of the test's own, its accounts, and callers who say what the test wants.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = process.env.CARILLON_CHECKOUT;
export const launcher = join(home, 'carillon');
export const PASSWORD = 'a long password of the test';

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

export async function until(what, condition, seconds = 20) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Starts it with the examples uas and b2bua, and one account for each role. */
export async function startServer() {
  const state = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  // A collector that nobody reaches: traces are kept here all the same.
  const env = { ...process.env, CARILLON_HOME: state, CARILLON_TELEMETRY_TRACES_OTLP: 'http://127.0.0.1:9/v1/traces', CARILLON_TELEMETRY_TRACES_SAMPLE: '100 %' };
  const [web, sip] = await Promise.all([freePort(), freePort()]);
  for (const role of ['viewer', 'operator', 'deployer', 'admin']) {
    execFileSync(launcher, ['admin', 'add', role, '--role', role], { env, input: `${PASSWORD}\n` });
  }
  const child = spawn(
    launcher,
    ['run', join(home, 'examples/uas/target/uas.war'), '--sip', `udp:127.0.0.1:${sip},tcp:127.0.0.1:${sip}`, '--http', `127.0.0.1:${web}`],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  try {
    await until('READY', () => said.includes('READY') || child.exitCode !== null, 240);
    assert.equal(child.exitCode, null, said);
  } catch (e) {
    child.kill();
    throw e;
  }
  return {
    base: `http://127.0.0.1:${web}`,
    web,
    sip,
    said: () => said,
    /** A command of the control socket, as carillon watch sends it. */
    async command(line) {
      const socket = readdirSync(state, { recursive: true }).find((name) => name.endsWith('.sock'));
      const channel = connect(join(state, socket));
      channel.write(`${line}\n`);
      let answer = '';
      for await (const bytes of channel) answer += bytes;
      assert.match(answer, /^OK\n/);
    },
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Callers over UDP: each call stays up until it is told to end, or the server ends it. */
export class Callers {
  calls = new Map();
  number = 0;

  static async open(server) {
    const callers = new Callers();
    callers.server = server;
    callers.socket = dgram.createSocket('udp4');
    callers.socket.on('message', (bytes) => callers.#received(bytes.toString()));
    await new Promise((resolve) => callers.socket.bind(0, '127.0.0.1', resolve));
    return callers;
  }

  #send(text) {
    this.socket.send(text, this.server.sip, '127.0.0.1');
  }

  #text(call, method, cseq) {
    return [
      `${method} sip:uas@127.0.0.1:${this.server.sip} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${this.socket.address().port};branch=z9hG4bK${call.id}${method}${cseq};rport`,
      `From: ${call.name ? `"${call.name}" ` : ''}<sip:${call.user}@127.0.0.1>;tag=${call.id}`,
      `To: ${call.to}`,
      `Call-ID: ${call.id}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:${call.user}@127.0.0.1:${this.socket.address().port}>`,
      'Max-Forwards: 70',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
  }

  #received(text) {
    const header = (name) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(text)?.[1].trim();
    const call = this.calls.get(header('Call-ID'));
    if (!call) return;
    if (text.startsWith('SIP/2.0 ')) {
      const status = Number(text.slice(8, 12));
      if (/INVITE/.test(header('CSeq')) && status >= 200) {
        call.to = header('To');
        call.status = status;
        this.#send(this.#text(call, 'ACK', 1));
      }
      if (/INFO|BYE/.test(header('CSeq')) && status >= 200) call.answered = status;
      return;
    }
    if (text.startsWith('BYE ')) {
      call.ended = true;
      const lines = text.split('\r\n').filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
      this.#send(['SIP/2.0 200 OK', ...lines, 'Content-Length: 0', '', ''].join('\r\n'));
    }
  }

  /** A call that is up. */
  async call(user = 'alice', name = '') {
    const id = `c${++this.number}-${Date.now()}`;
    const call = { id, user, name, to: '<sip:uas@127.0.0.1>', status: 0, ended: false };
    this.calls.set(id, call);
    let waited = 0;
    this.#send(this.#text(call, 'INVITE', 1));
    await until(`an answer to ${id}`, () => {
      if (++waited % 20 === 0) this.#send(this.#text(call, 'INVITE', 1));
      return call.status;
    });
    assert.equal(call.status, 200);
    return call;
  }

  /** Sends INFO in the call. */
  info(call, cseq) {
    this.#send(this.#text(call, 'INFO', cseq));
  }

  async end(call) {
    this.#send(this.#text(call, 'BYE', 90));
    await until(`the end of ${call.id}`, () => call.answered);
  }

  close() {
    return new Promise((resolve) => this.socket.close(resolve));
  }
}

/** Signs in as pages do, without a browser. */
export async function signIn(base, name, password = PASSWORD) {
  const response = await fetch(`${base}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
  const body = await response.json();
  return { status: response.status, cookie, csrf: body.csrf, body };
}
