// A server of this clone over TLS, with an account of each kind, and a phone. Loopback only.
import { spawn, execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import dgram from 'node:dgram';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const home = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const launcher = join(home, 'carillon');
const run = promisify(execFile);

export async function until(what, check, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export class Server {
  static async start() {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), 'carillon-admin-'));
    server.env = { ...process.env, CARILLON_HOME: server.folder, CARILLON_START_CACHE: 'off', CARILLON_SERVER: '', CARILLON_TOKEN: '' };
    await server.command(['tls', 'self-signed', '--name', '127.0.0.1', '--out', join(server.folder, 'tls')]);
    server.certificate = join(server.folder, 'tls', 'certificate.pem');
    const config = join(server.folder, 'carillon.yaml');
    await writeFile(
      config,
      `sip: {listen: [udp:127.0.0.1:0]}
http: {listen: 127.0.0.1:0, tls: true}
tls: {certificates: [{certificate: ${server.certificate}, key: ${join(server.folder, 'tls', 'key.pem')}}]}
drain: {transactions: 0 s}
`,
    );
    server.config = config;
    await server.run();
    return server;
  }

  async run() {
    this.process = spawn(launcher, ['run', join(home, 'examples/uas/target/uas.war'), '--config', this.config], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    this.log = '';
    this.process.stdout.on('data', (bytes) => (out += bytes));
    this.process.stderr.on('data', (bytes) => (this.log += bytes));
    await until('READY', () => {
      if (this.process.exitCode !== null) throw new Error(`the server did not start: ${this.log}`);
      return /READY in .*\n/.test(out);
    }, 600);
    const ready = /READY in .*/.exec(out)[0];
    this.sip = Number(/udp:127\.0\.0\.1:(\d+)/.exec(ready)[1]);
    this.base = `https://${/HTTP ([^;]+);/.exec(ready)[1]}`;
  }

  /** A command of this machine, or of a machine elsewhere. */
  async command(args, input = null) {
    const child = run(launcher, args, { env: this.env, maxBuffer: 1 << 26 });
    if (input !== null) child.child.stdin.end(input);
    return (await child).stdout;
  }

  remote(args, token) {
    return this.command([...args, '--server', this.base, '--token-file', token, '--ca', this.certificate]);
  }

  async token(name, role) {
    await this.command(['admin', 'add', name, '--role', role], 'correct horse battery\n');
    const token = (await this.command(['admin', 'token', name])).trim();
    const file = join(this.folder, `${name}.token`);
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    return { token, file };
  }

  async stop(signal = 'SIGTERM') {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill(signal);
    await gone;
  }

  async clean() {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.stop();
    await rm(this.folder, { recursive: true });
  }

  ca() {
    return readFile(this.certificate);
  }
}

/** A phone that calls, and says what came. */
export class Phone {
  messages = [];

  static async open() {
    const phone = new Phone();
    phone.socket = dgram.createSocket('udp4');
    phone.socket.on('message', (bytes) => phone.messages.push(bytes.toString()));
    await new Promise((done) => phone.socket.bind(0, '127.0.0.1', done));
    return phone;
  }

  #send(port, method, cseq, callId, tag) {
    const own = `127.0.0.1:${this.socket.address().port}`;
    const text = [
      `${method} sip:uas@127.0.0.1:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${randomUUID()}`,
      'Max-Forwards: 70',
      'From: <sip:phone@example.com>;tag=from',
      `To: <sip:uas@127.0.0.1>${tag ? `;tag=${tag}` : ''}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:phone@${own}>`,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    this.socket.send(text, port, '127.0.0.1');
  }

  async call(port) {
    const callId = randomUUID();
    this.#send(port, 'INVITE', 1, callId, '');
    const answered = () => this.messages.find((one) => one.startsWith('SIP/2.0 200') && one.includes(callId));
    await until('the call is answered', answered);
    this.#send(port, 'ACK', 1, callId, /\nTo:[^\n]*;tag=([^;\s]+)/i.exec(answered())[1]);
    return callId;
  }

  close() {
    return new Promise((done) => this.socket.close(done));
  }
}
