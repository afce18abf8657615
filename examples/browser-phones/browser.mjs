// A Chromium with fake microphones that knows the server's certificate, and phones in its pages.
import { build } from 'esbuild';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { until } from './carillon.mjs';

/** Serves a page on a port that is free; its script is what was shown last. */
export async function serve(entry) {
  let code = '';
  const web = createServer((request, response) => {
    const script = request.url === '/page.js';
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ? code : '<!doctype html><title>Phone</title><script type="module" src="page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  const show = async (what) => {
    const { outputFiles } = await build({ ...what, bundle: true, write: false, format: 'esm', logLevel: 'error' });
    code = outputFiles[0].text;
  };
  if (entry) await show(entry);
  return { origin: `http://127.0.0.1:${web.address().port}`, show, close: () => web.close() };
}

/** Phones in pages of this origin. */
export async function startBrowser(carillon, origin) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream',
      `--ignore-certificate-errors-spki-list=${carillon.key}`,
    ],
  });
  return {
    async page(from = origin) {
      const page = await browser.newPage();
      await page.goto(from);
      return page;
    },
    /** A phone that has registered. */
    async phone(library, user) {
      const phone = new BrowserPhone(library, user, await this.page());
      const settings = { server: carillon.url, domain: carillon.domain, user, password: 'secret' };
      await phone.page.evaluate(([name, how]) => window.start(name, how), [library, settings]);
      await phone.saw('connected');
      await phone.register();
      await phone.saw('registered');
      return phone;
    },
    close: () => browser.close(),
  };
}

class BrowserPhone {
  constructor(library, user, page) {
    this.library = library;
    this.user = user;
    this.page = page;
  }

  #do(method, argument) {
    return this.page.evaluate(([name, value]) => void window.phone[name](value), [method, argument]);
  }

  async noted() {
    return (await this.told()).join(', ');
  }

  told() {
    return this.page.evaluate(() => window.told);
  }

  mark() {
    return this.page.evaluate(() => void (window.told.length = 0));
  }

  async saw(what) {
    let told = [];
    return until(() => `${this.user} (${this.library}): ${what}; but: ${told.join(', ')}`, async () => {
      told = await this.told();
      return told.some((one) => one === what || one.startsWith(`${what} `));
    });
  }

  register() { return this.#do('register'); }
  unregister() { return this.#do('unregister'); }
  call(user) { return this.#do('call', user); }
  answer() { return this.#do('answer'); }
  reject() { return this.#do('reject'); }
  hangUp() { return this.#do('hangUp'); }
  hold() { return this.#do('hold'); }
  resume() { return this.#do('resume'); }
  transfer(user) { return this.#do('transfer', user); }
  sound() { return this.page.evaluate(() => window.sound()); }
}
