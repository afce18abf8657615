// The web voice mail in a real Chromium, with phones and a voice mail server of the test's own.
// Run by ./carillon browser-test. CHROMIUM names the browser, PICTURES a folder for screenshots.
import { after, afterEach, before, beforeEach, test } from 'node:test';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { startServer, until } from './server.mjs';
import { Agent } from './sip.mjs';

const pictures = process.env.PICTURES;
let server;
let base;
let browser;
let page;
let phone;
let mail;
let ports;

before(async () => {
  server = await startServer();
  base = server.base;
  ports = server;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

beforeEach(async () => {
  phone = await Agent.open('alice', ports.phonePort);
  mail = await Agent.open('voicemail', ports.mailPort);
  mail.waiting = 0;
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(base);
  await page.getByLabel('User').fill('alice');
  await page.getByLabel('Password').fill('secret');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hello, alice' }).waitFor();
});

afterEach(async () => {
  // A test that failed leaves no call to the next one.
  if (await hangUp().isVisible()) {
    await hangUp().click();
    await call().waitFor();
  }
  await page.context().close();
  await phone.close();
  await mail?.close();
});

const call = () => page.getByRole('button', { name: 'Call my voice mail' });
const hangUp = () => page.getByRole('button', { name: 'Hang up' });
const says = (text) => page.locator('carillon-click-to-call').getByRole('status').filter({ hasText: text }).waitFor();

async function connected() {
  await call().click();
  await says('You are connected.');
  await until('both phones talk', () => phone.calls.at(-1)?.state === 'talking' && mail.calls.at(-1)?.state === 'talking');
  await until('the voice mail is subscribed to', () => mail.subscription);
}

test('click, both phones ring, four messages arrive one by one, the page hangs up', async () => {
  phone.mode = 'ring';
  await call().click();
  await says('Your phone rings. Please answer it.');
  // The page says so when the call was taken; the INVITE leaves in the call's own turn.
  await until('the phone rings', () => phone.calls.at(-1)?.state === 'ringing');
  phone.answer();
  await says('You are connected.');
  await until('subscribed', () => mail.subscription);
  await page.getByText('No new messages.').waitFor();
  for (const [count, words] of [[1, 'One new message.'], [2, '2 new messages.'], [3, '3 new messages.'], [4, '4 new messages.']]) {
    mail.notify(count);
    await page.getByText(words, { exact: true }).waitFor();
  }
  assert.equal(await page.getByText('A new message arrived.').count(), 4);
  if (pictures) {
    await page.screenshot({ path: `${pictures}/web-voice-mail-desktop.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: `${pictures}/web-voice-mail-phone.png` });
  }
  await hangUp().click();
  await says('You hung up.');
  await until('both phones are free', () => phone.calls.at(-1).state === 'ended' && mail.calls.at(-1).state === 'ended');
  await until('the subscription has ended', () => mail.subscription.ended);
});

test('the phone hangs up', async () => {
  await connected();
  phone.hangUp();
  await says('You hung up the phone.');
  await until('the voice mail is free', () => mail.calls.at(-1).state === 'ended');
  await call().waitFor();
});

test('the page works by keyboard alone', async () => {
  await call().focus();
  await page.keyboard.press('Enter');
  await says('You are connected.');
  await page.keyboard.press('Enter');
  await says('You hung up.');
});

test('each failure is a sentence', async () => {
  const again = async () => {
    await new Promise((resolve) => setTimeout(resolve, 800)); // the button takes no click just after an end
    await call().click();
  };
  phone.mode = 'busy';
  await again();
  await says('Your phone is busy.');
  phone.mode = 'ring';
  await again();
  await says('Your phone was not answered.');
  phone.mode = 'answer';
  mail.mode = 'busy';
  await again();
  await says('The other side is busy.');
  await mail.close();
  mail = null;
  await again();
  await says('The other side cannot be reached just now.');
  await until('the phone is let go', () => phone.calls.at(-1).state === 'ended');
});

test('a double click is one call', async () => {
  phone.mode = 'ring';
  await call().dblclick();
  await says('Your phone rings. Please answer it.').catch(() => {});
  await until('the phone was called', () => phone.calls.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(phone.calls.length, 1);
});

test('a page that was closed finds its call again', async () => {
  await connected();
  const again = await page.context().newPage();
  await page.close();
  page = again;
  await page.goto(base);
  await hangUp().waitFor();
  assert.equal(phone.calls.at(-1).state, 'talking');
  await hangUp().click();
  await says('You hung up.');
  await until('the phone is free', () => phone.calls.at(-1).state === 'ended');
});

test('page and phone hang up at once', async () => {
  await connected();
  // Whichever comes first, the other one finds the call gone; the button may say 'Call' again by then.
  await Promise.all([page.locator('carillon-click-to-call').getByRole('button').click(), phone.hangUp()]);
  await call().waitFor();
  assert.equal(phone.calls.length, 1, 'the click that came too late called nobody');
  await until('the voice mail is free', () => mail.calls.at(-1).state === 'ended');
});

test('a wrong password and a page of another origin are refused', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('User').fill('alice');
  await page.getByLabel('Password').fill('guess');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'User or password is wrong.' }).waitFor();
  const answer = await fetch(`${base}/api/calls`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: '{"to":"voicemail"}',
  });
  assert.equal(answer.status, 403);
  assert.equal((await answer.json()).type, 'urn:carillon:problem:other-origin');
  assert.equal(phone.calls.length, 0);
});

test('who is not signed in is told of no connection that is lost', async () => {
  const stranger = await (await browser.newContext()).newPage();
  const refused = stranger.waitForResponse((answer) => answer.url().endsWith('/api/events') && answer.status() === 401);
  await stranger.goto(base);
  await stranger.evaluate(async () => {
    await import('/carillon/components.js');
    document.body.append(document.createElement('carillon-click-to-call'));
  });
  await refused;
  // The browser tells the page of the refusal after the response: by the second try it has.
  await stranger.waitForResponse((answer) => answer.url().endsWith('/api/events'));
  const texts = await stranger.evaluate(() => [...document.querySelectorAll('carillon-click-to-call')].map((one) => one.shadowRoot.querySelector('.text').textContent));
  assert.ok(texts.length > 0 && texts.every((text) => text === ''), JSON.stringify(texts));
  await stranger.context().close();
});
