// Administration over TLS, from outside: the description, a client made of it, the command line elsewhere, kill -9. Run by ./dev api-test.
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import https from 'node:https';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient as generate } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { Phone, Server, until } from './server.mjs';

let server;
let admin;
let viewer;
let ca;
let phone;

function ask(method, path, token, body) {
  return new Promise((done, failed) => {
    const headers = { authorization: `Bearer ${token}` };
    if (body) headers['content-type'] = 'application/json';
    const request = https.request(`${server.base}/api/v1${path}`, { method, ca, headers }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => done({ status: answer.statusCode, text }));
    });
    request.on('error', failed);
    request.end(body);
  });
}

before(async () => {
  server = await Server.start();
  ca = await server.ca();
  admin = await server.token('anna', 'admin');
  viewer = await server.token('vera', 'viewer');
  phone = await Phone.open();
});

after(async () => {
  await phone?.close();
  await server?.clean();
});

test('Redocly finds nothing wrong with the description', async () => {
  const file = join(server.folder, 'openapi.json');
  await writeFile(file, (await ask('GET', '/openapi.json', '')).text);
  const { stdout, stderr } = await promisify(execFile)('npx', ['--no-install', 'redocly', 'lint', file, '--format', 'json', '--config', 'redocly.yaml'], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' },
    maxBuffer: 1 << 26,
  }).catch((e) => e);
  const found = JSON.parse(stdout || '{}');
  assert.ok(found.totals, stderr);
  const told = (found.problems ?? []).map((one) => `${one.severity} ${one.ruleId}: ${one.message} (${one.location?.[0]?.pointer})`);
  assert.deepEqual(told, []);
});

test('a generated client ends a call', async () => {
  const document = join(server.folder, 'openapi.json');
  const folder = join(server.folder, 'client');
  await generate({ input: document, output: folder, logs: { level: 'silent' } });
  await build({ entryPoints: [join(folder, 'index.ts')], bundle: true, format: 'esm', platform: 'node', outfile: join(server.folder, 'client.mjs') });
  await build({ entryPoints: [join(folder, 'client.gen.ts')], bundle: true, format: 'esm', platform: 'node', outfile: join(server.folder, 'base.mjs') });
  const api = await import(pathToFileURL(join(server.folder, 'client.mjs')));
  const { client } = await import(pathToFileURL(join(server.folder, 'base.mjs')));
  // Node's fetch takes no certificates of its own; the requests go over the same TLS by this.
  const over = async (request) => {
    const answer = await ask(request.method, request.url.replace(/^.*\/api\/v1/, ''), admin.token, request.body ? await request.text() : undefined);
    return new Response(answer.text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  client.setConfig({ baseUrl: `${server.base}/api/v1`, fetch: over });
  const callId = await phone.call(server.sip);
  const listed = await api.listCalls({ client, query: { text: callId } });
  assert.equal(listed.data.matching, 1);
  const ended = await api.hangUp({ client, path: { id: listed.data.calls[0].id } });
  assert.equal(ended.response.status, 200);
  await until('BYE', () => phone.messages.some((one) => one.startsWith('BYE ') && one.includes(callId)));
});

test('commands ask a server elsewhere', async () => {
  const elsewhere = (...args) => server.remote(args, admin.file);
  assert.match(await elsewhere('status'), /Calls held/);
  const callId = await phone.call(server.sip);
  assert.match(await elsewhere('calls'), /sip:phone@example.com/);
  assert.match(await elsewhere('call', callId), /application +uas/);
  assert.match(await elsewhere('hangup', callId), /BYE/);
  assert.match(await elsewhere('route', '--uri', 'sip:uas@127.0.0.1'), /uas/);
  assert.match(await elsewhere('applications'), /uas/);
  assert.match(await elsewhere('reload'), /Read again/);
  assert.match(await elsewhere('log'), /info/i);
  assert.match(await elsewhere('bans'), /no bans/);
  assert.match(await elsewhere('config', 'show', 'http.tls'), /true/);
  assert.match(await elsewhere('deploy', join(server.folder, '..', '..', 'nothing.war')).catch((e) => e.stderr), /is no archive/);
  assert.match(await elsewhere('deploy', join(import.meta.dirname, '../../examples/uas/target/uas.war')), /deployed uas version 2/);
  assert.match(await elsewhere('admin', 'list'), /vera/);
  assert.match(await elsewhere('audit', '--what', 'hangUp'), /done +anna +token +127.0.0.1/);
  const refused = await server.remote(['deploy', join(import.meta.dirname, '../../examples/uas/target/uas.war')], viewer.file).catch((e) => e);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /deploy needs the role deployer; vera has viewer/);
  assert.match(await elsewhere('audit', '--who', 'vera'), /refused +vera/);
  assert.match(await elsewhere('audit', '--verify'), /each after the one that was written before it/);
});

test('what was answered is in the audit log after kill -9', async () => {
  let answered = 0;
  let killed = false;
  const change = async (number) => {
    for (let i = 0; !killed; i++) {
      const logger = `test.of.${number}.${i}`;
      const answer = await ask('PUT', '/logs/levels', admin.token, JSON.stringify({ level: 'info', logger })).catch(() => null);
      if (answer?.status === 200) {
        answered++;
        told.push(logger);
      } else {
        return;
      }
    }
  };
  const told = [];
  const changes = [0, 1, 2, 3].map(change);
  await until('changes are answered', () => answered > 200);
  await server.stop('SIGKILL');
  killed = true;
  await Promise.all(changes);
  const lines = JSON.parse(await server.command(['audit', '--what', 'setLogLevel', '--stage', 'done', '--limit', '1000', '--json']));
  const kept = new Set(lines.map((one) => JSON.parse(one.asked).logger));
  assert.deepEqual(told.slice(-900).filter((one) => !kept.has(one)), []);
  assert.match(await server.command(['audit', '--verify']), /each after the one that was written before it/);
  await server.run();
  assert.equal((await ask('GET', '/status', admin.token)).status, 200);
  assert.match(await server.command(['audit', '--verify']), /each after the one that was written before it/);
});
