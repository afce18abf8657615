// Phones in a real Chromium, on JsSIP and on SIP.js over WSS, call a baresip over TLS, and are called by it, through the
// registrar and the B2BUA. Where there is no baresip, the phone of the other library in another page takes its place.
// Run by ./carillon browser-calls. CHROMIUM names the browser, LOGS a folder for the server's and the phones' logs.
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { installed, Baresip } from './baresip.mjs';
import { serve, startBrowser } from './browser.mjs';
import { run, startCarillon, until } from './carillon.mjs';

const domain = 'phones.example';
const users = ['alice', 'bob', 'carol'];
const others = { JsSIP: 'SIP.js', 'SIP.js': 'JsSIP' };
const withBaresip = installed();
let web;
const snippets = {};
let carillon;
let browser;
let phones = [];

before(async () => {
  if (!withBaresip) console.log('There is no baresip on this machine: browsers call each other (Debian: apt-get install baresip)');
  web = await serve({ entryPoints: [new URL('page.mjs', import.meta.url).pathname] });
  for (const library of Object.keys(others)) snippets[library] = await serve();
  const pages = [web, ...Object.values(snippets)];
  carillon = await startCarillon({ domain, users, origins: pages.map(({ origin }) => origin) });
  console.log(`Logs and traces: ${carillon.folder}`);
  run(carillon.folder, ['trace', 'on', '--all', '--calls=200', '--for=10m']);
  browser = await startBrowser(carillon, web.origin);
});

after(async () => {
  await browser?.close();
  await Promise.all(phones.filter((phone) => phone instanceof Baresip).map((phone) => phone.stop()));
  await carillon?.stop();
  for (const page of [web, ...Object.values(snippets)]) page?.close();
});

/** Each call has a session in the B2BUA, and one in the registrar. */
const held = async () => (await carillon.status()).calls.held;

async function sound(what, caller, callee) {
  const report = await until('sound is counted', async () => {
    const { came, went } = await caller.sound();
    return came > 0 && went > 0 ? { came, went } : null;
  }, 5).catch(() => caller.sound());
  console.log(`media, ${what}: ${caller.library} got ${report.came} bytes of sound and sent ${report.went}`);
  for (const line of callee instanceof Baresip ? await callee.sound() : []) console.log(`  ${line}`);
}

for (const library of Object.keys(others)) {
  const partner = withBaresip ? 'baresip' : others[library];
  describe(`${library} over WSS, ${partner} over ${withBaresip ? 'TLS' : 'WSS'}`, () => {
    let alice;
    let bob;
    let carol;

    before(async () => {
      alice = await browser.phone(library, 'alice');
      bob = withBaresip ? await Baresip.start({ carillon, user: 'bob', name: `bob-${library}`, codec: 'g711' }) : await browser.phone(partner, 'bob');
      carol = await browser.phone(others[library], 'carol');
      phones = [alice, bob, carol];
      await bob.saw('registered');
    });

    beforeEach(async () => {
      for (const phone of phones) await phone.mark();
    });

    // A test that failed leaves no call to the next one, and tells what went to and fro.
    afterEach(async () => {
      if ((await held()) === 0) return;
      for (const command of [['calls'], ['trace', 'bob', '--limit=2']]) console.log(run(carillon.folder, command));
      for (const phone of phones) console.log(`${phone.user} (${phone.library}): ${await phone.noted()}`);
      for (const phone of phones) await phone.hangUp();
      await until('the server holds no call', async () => (await held()) === 0);
    });

    after(async () => {
      if (bob instanceof Baresip) await bob.stop();
      await Promise.all([alice.page.close(), carol.page.close(), bob.page?.close()]);
    });

    const mark = async () => {
      for (const phone of phones) await phone.mark();
    };

    async function call(caller, callee) {
      await caller.call(callee.user);
      await callee.saw(`rings ${caller.user}`);
      await caller.saw('it rings there');
      await callee.answer();
      await Promise.all([caller.saw('talks'), callee.saw('talks')]);
    }

    async function hangUp(one, other) {
      await mark();
      await one.hangUp();
      await Promise.all([one.saw('over'), other.saw('over')]);
      await until('the server holds no call', async () => (await held()) === 0);
    }

    async function holdAndResume(one, other) {
      await mark();
      await one.hold();
      await Promise.all([one.saw('holds'), other.saw('is held')]);
      await mark();
      await one.resume();
      await Promise.all([one.saw('resumes'), other.saw('is resumed')]);
      await new Promise((resolve) => setTimeout(resolve, 200)); // the ACK may be on its way: no glare (491)
    }

    async function transfer(one, other, target) {
      await mark();
      await one.transfer(target.user);
      await other.saw(`is transferred ${target.user}`);
      await one.saw('transfer accepted');
      await target.saw(`rings ${other.user}`);
      await target.answer();
      await target.saw('talks');
      if (other.library === 'SIP.js') await one.hangUp(); // its first NOTIFY says terminated, so the outcome is not heard
      await one.saw('over');
      await until('the server holds one call', async () => (await held()) === 2);
      await hangUp(target, other);
    }

    test(`${library} calls, ${partner} answers, ${library} holds and resumes, ${partner} holds and resumes, ${library} hangs up`, async () => {
      await call(alice, bob);
      await sound(`${library} calls ${partner}`, alice, bob);
      await holdAndResume(alice, bob);
      await holdAndResume(bob, alice);
      await hangUp(alice, bob);
    });

    test(`${library} calls, ${partner} hangs up`, async () => {
      await call(alice, bob);
      await hangUp(bob, alice);
    });

    test(`${partner} calls, ${library} answers, both hold and resume, ${library} hangs up`, async () => {
      await call(bob, alice);
      await sound(`${partner} calls ${library}`, alice, bob);
      await holdAndResume(bob, alice);
      await holdAndResume(alice, bob);
      await hangUp(alice, bob);
    });

    test(`${partner} calls, ${partner} hangs up`, async () => {
      await call(bob, alice);
      await hangUp(bob, alice);
    });

    for (const [one, other] of [['alice', 'bob'], ['bob', 'alice']]) {
      const of = (user) => (user === 'alice' ? alice : bob);
      const name = { alice: library, bob: partner };

      test(`${name[one]} calls and cancels`, async () => {
        await of(one).call(other);
        await of(other).saw(`rings ${one}`);
        await of(one).saw('it rings there');
        await of(one).hangUp();
        await Promise.all([of(one).saw('over'), of(other).saw('over')]);
        await until('the server holds no call', async () => (await held()) === 0);
      });

      test(`${name[one]} calls, ${name[other]} is busy`, async () => {
        await of(one).call(other);
        await of(other).saw(`rings ${one}`);
        await of(other).reject();
        await of(one).saw('over 486');
        await until('the server holds no call', async () => (await held()) === 0);
      });

      test(`${name[one]} calls and transfers ${name[other]}`, async () => {
        await call(of(one), of(other));
        await transfer(of(one), of(other), carol);
      });

      test(`${name[one]} is called and transfers ${name[other]}`, async () => {
        await call(of(other), of(one));
        await transfer(of(one), of(other), carol);
      });
    }

    test('who is transferred to somebody busy is told of, and goes on talking', async () => {
      await call(alice, bob);
      await mark();
      await alice.transfer('carol');
      await carol.saw('rings bob');
      await carol.reject();
      await alice.saw('transfer 486');
      await hangUp(alice, bob);
    });

    test('nobody there: 480', async () => {
      await alice.call('nobody');
      await alice.saw('over 480');
    });

    test(`${partner} unregisters, then ${library}: nobody is found`, async () => {
      await bob.unregister();
      await bob.saw('unregistered');
      await alice.call('bob');
      await alice.saw('over 480');
      await alice.unregister();
      await alice.saw('unregistered');
      await carol.call('alice');
      await carol.saw('over 480');
    });
  });
}

// What the documentation shows, as it stands there but for the names.
for (const [index, library] of Object.keys(others).entries()) {
  test(`${library}: the lines in docs/guides/transports.md register and take a call`, async () => {
    const text = readFileSync(new URL('../../docs/guides/transports.md', import.meta.url), 'utf8');
    const lines = [...text.matchAll(/```js\n([^]*?)```/g)][index][1];
    const contents = lines.replace('wss://sip.example.com', carillon.url).replaceAll('example.com', domain);
    const snippet = snippets[library];
    await snippet.show({ stdin: { contents, resolveDir: new URL('.', import.meta.url).pathname } });
    const page = await browser.page(snippet.origin);
    const said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.reload();
    await until(() => `registered; but: ${said}`, () => said.includes('registered'));
    const caller = await browser.phone(others[library], 'bob');
    await caller.call('alice');
    await caller.saw('talks');
    await caller.hangUp();
    await page.close();
    await caller.page.close();
  });
}
