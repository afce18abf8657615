// A baresip (Debian's package) that registers over TLS, driven over its control socket. What it did is known from
// its events and its trace of the messages; only what came since the last mark() counts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePorts, until } from './carillon.mjs';

const modules = ['/usr/lib/baresip/modules', '/usr/local/lib/baresip/modules', '/usr/lib64/baresip/modules'].find((folder) => existsSync(join(folder, 'dtls_srtp.so')));

export const installed = () => process.env.BARESIP !== 'no' && modules !== undefined && spawnSync('baresip', ['-h']).error === undefined;

const words = {
  REGISTER_OK: () => 'registered',
  UNREGISTERING: () => 'unregisters',
  CALL_INCOMING: ({ peeruri }) => `rings ${user(peeruri)}`,
  CALL_RINGING: () => 'it rings there',
  CALL_ESTABLISHED: () => 'talks',
  CALL_CLOSED: ({ param }) => `over ${param}`,
  TRANSFER: ({ param }) => `is transferred ${user(param)}`,
  TRANSFER_FAILED: ({ param }) => `transfer ${param}`,
};

const user = (uri) => /sips?:([^@>;]+)@/.exec(uri)?.[1] ?? uri;

export class Baresip {
  library = 'baresip';
  told = [];
  #before = 0;

  static async start({ carillon, user, name = user, codec }) {
    const phone = new Baresip();
    phone.user = user;
    phone.domain = carillon.domain;
    phone.folder = join(carillon.folder, `baresip-${name}`);
    const port = await freePorts(3); // baresip takes the second for TLS
    const control = port + 2;
    const rtp = port > 40_000 ? 20_000 + (port % 10_000) * 2 : 42_000 + (port % 10_000) * 2;
    const names = {
      PORT: port, CONTROL: control, USER: user, RTP: rtp, LAST_RTP: rtp + 40,
      MODULES: modules, CODEC: codec, CERTIFICATE: join(carillon.folder, 'tls/certificate.pem'),
    };
    mkdirSync(phone.folder);
    const template = readFileSync(new URL('baresip/config', import.meta.url), 'utf8');
    writeFileSync(join(phone.folder, 'config'), template.replace(/@(\w+)@/g, (whole, name) => names[name]));
    writeFileSync(join(phone.folder, 'accounts'),
      `<sip:${user}@${carillon.domain};transport=tls>;auth_user=${user};auth_pass=secret;outbound="sip:127.0.0.1:${carillon.tls};transport=tls"`
      + ';regint=600;sipnat=outbound;answermode=manual;medianat=ice;mediaenc=dtls_srtp\n');
    writeFileSync(join(phone.folder, 'contacts'), '');
    phone.log = join(phone.folder, 'trace.log');
    const out = openSync(phone.log, 'w');
    phone.process = spawn('baresip', ['-4', '-s', '-f', phone.folder], { stdio: ['ignore', out, out] });
    phone.socket = await until(`baresip of ${user} starts; its log is ${phone.log}`, () => phone.process.exitCode !== null || open(control));
    if (phone.process.exitCode !== null) throw new Error(`baresip did not start; its log is ${phone.log}`);
    phone.#listen();
    return phone;
  }

  /** Netstrings of JSON: LENGTH:TEXT, */
  #listen() {
    let bytes = Buffer.alloc(0);
    this.socket.on('error', () => this.told.push('closed'));
    this.socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (let colon = bytes.indexOf(58); colon > 0; colon = bytes.indexOf(58)) {
        const end = colon + 1 + Number(bytes.subarray(0, colon));
        if (bytes.length <= end) return;
        const message = JSON.parse(bytes.subarray(colon + 1, end));
        bytes = bytes.subarray(end + 1);
        if (message.event && words[message.type]) this.told.push(words[message.type](message));
      }
    });
  }

  command(command, params = '') {
    const json = JSON.stringify({ command, params, token: 't' });
    this.socket.write(`${Buffer.byteLength(json)}:${json},`);
  }

  async mark() {
    this.told.length = 0;
    this.#before = this.trace().length;
  }

  /** What its events say, and what went to and fro, since the last mark(). */
  async noted() {
    return `${this.told.join(', ')}\n${this.trace().slice(this.#before)}`;
  }

  trace() {
    return readFileSync(this.log, 'utf8');
  }

  /** Waits for what happened: what its events say, or what went to and fro. */
  saw(what) {
    return until(() => `${this.user} (baresip): ${what}; but: ${this.told.join(', ')}`, () => {
      switch (what) {
        case 'is held': return this.#passed(/^INVITE /m, /^a=(sendonly|inactive)/m);
        case 'is resumed': return this.#passed(/^INVITE /m, /^a=sendrecv/m);
        case 'holds': return this.#passed(/^SIP\/2\.0 200 /m, /^CSeq: \d+ INVITE/m, /^a=(recvonly|inactive)/m);
        case 'resumes': return this.#passed(/^SIP\/2\.0 200 /m, /^CSeq: \d+ INVITE/m, /^a=sendrecv/m);
        case 'transfer accepted': return this.#passed(/^SIP\/2\.0 202 /m, /^CSeq: \d+ REFER/m);
        case 'transfer 200': return this.#passed(/^NOTIFY /m, /^SIP\/2\.0 200 /m);
        case 'unregistered': return this.#passed(/^SIP\/2\.0 200 /m, /^CSeq: \d+ REGISTER/m);
        default: return this.told.some((one) => one === what || one.startsWith(`${what} `));
      }
    });
  }

  #passed(...expressions) {
    const messages = this.trace().slice(this.#before).split(/\n(?=TLS )/);
    return messages.some((message) => expressions.every((expression) => expression.test(message)));
  }

  call(user) { this.command('dial', `sip:${user}@${this.domain}`); }
  answer() { this.command('accept'); }
  reject() { this.command('hangup'); }
  hangUp() { this.command('hangup'); }
  hold() { this.command('hold'); }
  resume() { this.command('resume'); }
  transfer(user) { this.command('transfer', `sip:${user}@${this.domain}`); }
  register() { return this.saw('registered'); }
  unregister() { this.command('quit'); }

  /** What it says of its media since the mark. */
  async sound() {
    const lines = this.trace().slice(this.#before).split('\n').map((line) => line.replace(/\x1b\[[;\d]*m/g, ''));
    return lines.filter((line) => /^dtls_srtp: (--->|verified)|^(dtls_srtp|ice): .*(fail|mismatch|error|already)|^audio: Set|^stream: incoming/.test(line));
  }

  async stop() {
    this.socket.destroy();
    this.process.kill();
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
  }
}

function open(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}
