import { startCarillon, until, run } from './carillon.mjs';
import { startBrowser, serve } from './browser.mjs';
import { Baresip, installed } from './baresip.mjs';
const web = await serve({ entryPoints: ['page.mjs'] });
const c = await startCarillon({ domain: 'phones.example', users: ['alice','bob', 'carol'], origin: web.origin });
console.log(c.folder);
let b, bob;
try {
 run(c.folder, ['trace', 'on', '--all']);
 b = await startBrowser(c, web.origin);
 const alice = await b.phone('JsSIP', 'alice');
 bob = await Baresip.start({ carillon: c, user: 'bob', codec: process.env.CODEC ?? 'g711' });
 await bob.saw('registered');
 await alice.call('bob'); await bob.saw('rings alice'); bob.answer(); await bob.saw('talks'); await alice.saw('talks');
 await bob.mark(); bob.hold(); await bob.saw('holds').catch(e => console.log(e.message));
 bob.hangUp(); await alice.saw('over').catch(e => console.log(e.message));
} catch (e) { console.log(e); } finally { console.log(run(c.folder, ['trace', 'alice', '--messages'])); await bob?.stop(); await b?.close(); await c.stop(); process.exit(0) }
