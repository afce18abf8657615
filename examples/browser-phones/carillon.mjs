// Carillon as a process of its own, with a folder of its own: registrar and B2BUA, WSS for browsers and TLS for phones.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const checkout = new URL('../..', import.meta.url).pathname;
const java = process.env.JAVA ?? 'java';

/** So many ports that are free, one behind the other; the first of them. */
export async function freePorts(count) {
  for (;;) {
    const probes = [];
    try {
      for (let i = 0; i < count; i++) {
        probes.push(createServer().listen(i === 0 ? 0 : probes[0].address().port + i, '127.0.0.1'));
        await once(probes[i], 'listening'); // throws where it is taken
      }
      return probes[0].address().port;
    } catch (e) {
      if (e.code !== 'EADDRINUSE') throw e;
    } finally {
      for (const probe of probes) probe.close();
    }
  }
}

export async function until(what, condition, seconds = 10) {
  const deadline = Date.now() + seconds * 1000;
  while (true) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`it did not happen: ${typeof what === 'function' ? what() : what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function command(folder, options) {
  const target = join(checkout, 'server/target');
  const jar = readdirSync(target).find((name) => /^carillon-server-[^/]*\.jar$/.test(name));
  assert(jar, 'the server is not built');
  return [...options, `-Dcarillon.home=${folder}`, '-cp', `${join(target, jar)}:${target}/lib/*`, 'io.carillon.server.cli.Main'];
}

/** What the server is started with. */
function shipped() {
  const lines = readFileSync(join(checkout, 'server/src/main/dist/jvm.options'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() && !line.trim().startsWith('#'));
}

/** A command beside the server; what it prints. */
export function run(folder, args, input) {
  const { status, stdout, stderr } = spawnSync(java, [...command(folder, ['-XX:TieredStopAtLevel=1']), ...args], { cwd: folder, input, encoding: 'utf8' });
  assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Starts it for these users, all with the password secret. */
export async function startCarillon({ domain, users, origins }) {
  const folder = process.env.LOGS ?? mkdtempSync(join(tmpdir(), 'carillon-browser-phones-'));
  const wss = await freePorts(3);
  const [tls, http] = [wss + 1, wss + 2];
  run(folder, ['tls', 'self-signed', '--name', '127.0.0.1', '--out', join(folder, 'tls')]);
  for (const user of users) run(folder, ['users', 'add', user], 'secret\n');
  writeFileSync(join(folder, 'carillon.yaml'), `
sip:
  listen: [wss:127.0.0.1:${wss}, tls:127.0.0.1:${tls}]
  domains: [${domain}]
http:
  listen: 127.0.0.1:${http}
ws:
  origins: [${origins.join(', ')}]
tls:
  certificates:
    - certificate: tls/certificate.pem
      key: tls/key.pem
security:
  algorithms: [md5]
router: ${checkout}examples/browser-phones/router.properties
`);
  const log = join(folder, 'server.log');
  const archives = ['registrar', 'b2bua'].map((name) => join(checkout, `examples/${name}/target/${name}.war`));
  const out = openSync(log, 'w');
  const child = spawn(java, [...command(folder, shipped()), 'run', '--config', join(folder, 'carillon.yaml'), ...archives], { cwd: folder, stdio: ['ignore', out, out] });
  const said = () => readFileSync(log, 'utf8');
  try {
    await until(said, () => said().includes('READY') || child.exitCode !== null, 120);
    assert.equal(child.exitCode, null, said());
  } catch (e) {
    child.kill(); // else the tests would wait for it
    throw e;
  }
  const certificate = new X509Certificate(readFileSync(join(folder, 'tls/certificate.pem')));
  return {
    folder,
    domain,
    tls,
    url: `wss://127.0.0.1:${wss}`,
    /** What Chromium takes as the name of a key that it shall believe. */
    key: createHash('sha256').update(certificate.publicKey.export({ type: 'spki', format: 'der' })).digest('base64'),
    async status() {
      return (await fetch(`http://127.0.0.1:${http}/status`, { headers: { Accept: 'application/json' } })).json();
    },
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
