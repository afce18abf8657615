// Phones on JsSIP in a Chromium call the same address again and again, until the standard input ends: for ./carillon it
// upgrade. The one argument, in JSON: the server's URL, the domain of their addresses, whom they call, the key that Chromium
// shall believe, how many they are. Writes a line for each call: "made", or "fault" and what went wrong.
import { once } from 'node:events';
import { serve, startBrowser } from './browser.mjs';

const { server, domain, target, key, phones } = JSON.parse(process.argv[2]);
const web = await serve({ entryPoints: [new URL('again-page.mjs', import.meta.url).pathname] });
const browser = await startBrowser({ key }, web.origin);
const pages = [];
try {
  for (let i = 0; i < phones; i++) {
    const page = await browser.page();
    await page.exposeFunction('told', (line) => console.log(line.replaceAll('\n', ' ')));
    await page.evaluate((how) => window.begin(how), { server, target, uri: `sip:browser${i}@${domain}` });
    pages.push(page);
  }
  process.stdin.resume();
  await once(process.stdin, 'end');
  await Promise.all(pages.map((page) => page.evaluate(() => window.end())));
} finally {
  await browser.close();
  web.close();
}
