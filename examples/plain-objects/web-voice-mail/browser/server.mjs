// The web voice mail as a process of its own, on ports that are free.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const jar = process.env.VOICE_MAIL_JAR;
const java = process.env.JAVA ?? 'java';

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
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts it for the user alice, whose phone and voice mail server are the test's. */
export async function startServer() {
  const [web, sip, phonePort, mailPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const child = spawn(java, [
    '--sun-misc-unsafe-memory-access=allow', '-Xmx512m', '-jar', jar,
    `--server.port=${web}`, `--carillon.listen=udp:127.0.0.1:${sip}`, '--carillon.web.no-answer=3s',
    `--carillon.web.accounts.alice.phone=sip:alice@127.0.0.1:${phonePort}`, '--carillon.web.accounts.alice.password={noop}secret',
    `--carillon.web.destinations.voicemail=sip:voicemail@127.0.0.1:${mailPort}`,
  ], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (bytes) => (said += bytes));
  try {
    await until('READY', () => said.includes('READY') || child.exitCode !== null, 120);
    assert.equal(child.exitCode, null, said);
    assert.doesNotMatch(said, /Handlers run on threads of their own/, 'the manifest of the jar has Add-Opens');
  } catch (e) {
    child.kill(); // else the tests would wait for it
    throw e;
  }
  return {
    base: `http://127.0.0.1:${web}`,
    phonePort,
    mailPort,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
