// A client generated from openapi.yaml makes a call: the document says what the server does. Run by ./carillon browser-test.
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient as generate } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { startServer, until } from './server.mjs';
import { Agent } from './sip.mjs';

let server;
let folder;
let api;
let client;
let phone;
let mail;

before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'carillon-client-'));
  // From the document that the server serves, as a user would take it.
  const document = join(folder, 'openapi.yaml');
  const served = await fetch(`${server.base}/carillon/openapi.yaml`);
  assert.equal(served.status, 200);
  await writeFile(document, await served.text());
  await generate({ input: document, output: join(folder, 'client'), logs: { level: 'silent' } });
  await build({ entryPoints: [join(folder, 'client', 'index.ts')], bundle: true, format: 'esm', platform: 'node', outfile: join(folder, 'client.mjs') });
  await build({ entryPoints: [join(folder, 'client', 'client.gen.ts')], bundle: true, format: 'esm', platform: 'node', outfile: join(folder, 'base.mjs') });
  api = await import(pathToFileURL(join(folder, 'client.mjs')));
  ({ client } = await import(pathToFileURL(join(folder, 'base.mjs'))));
  client.setConfig({ baseUrl: server.base });
  phone = await Agent.open('alice', server.phonePort);
  mail = await Agent.open('voicemail', server.mailPort);
});

after(async () => {
  await phone?.close();
  await mail?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});

test('signs in, calls, sees the call connected, hangs up', async () => {
  const signedIn = await api.signIn({ client, body: { user: 'alice', password: 'secret' } });
  assert.equal(signedIn.response.status, 201);
  client.setConfig({ auth: () => signedIn.data.token });
  const placed = await api.placeCall({ client, body: { to: 'voicemail' } });
  assert.equal(placed.response.status, 201);
  await until('both phones talk', () => phone.calls.at(-1)?.state === 'talking' && mail.calls.at(-1)?.state === 'talking');
  const seen = await api.getCall({ client, path: { id: placed.data.id } });
  assert.equal(seen.data.state, 'connected');
  const all = await api.listCalls({ client });
  assert.equal(all.data.length, 1);
  const hungUp = await api.hangUp({ client, path: { id: placed.data.id } });
  assert.equal(hungUp.response.status, 204);
  await until('both phones are free', () => phone.calls.at(-1).state === 'ended' && mail.calls.at(-1).state === 'ended');
});

test('refusals are problems of the type that the document names', async () => {
  const signedIn = await api.signIn({ client, body: { user: 'alice', password: 'secret' } });
  const token = signedIn.data.token;
  const refused = async (to, auth) => {
    client.setConfig({ auth: () => auth });
    const { error, response } = await api.placeCall({ client, body: { to } });
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.equal(error.status, response.status);
    assert.ok(error.detail.length > 10, error.detail);
    return response.status;
  };
  assert.equal(await refused('not a number', token), 400);
  assert.equal(await refused('sip:nobody@elsewhere.example', token), 403);
  assert.equal(await refused('voicemail', 'wrong'), 401);
});
