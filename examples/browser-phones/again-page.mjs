// A phone that calls again and again. Each call lasts 3 s, with an INFO every 500 ms. Whom it calls has no media (the
// application uas): so the browser gets an answer to its own offer that is as good as any.
import JsSIP from 'jssip';

const [CALL, INFO, PAUSE] = [3000, 500, 100];
const media = { mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers: [] } };
const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
let last;
let over = false;

const answer = (offer) => offer
  .replaceAll('a=setup:actpass', 'a=setup:active')
  .replaceAll('a=sendrecv', 'a=inactive')
  .replace(/^a=(ssrc|msid|candidate)[^\n]*\n/gm, '');

const told = (response) => response
  ? `${response.status_code} ${response.reason_phrase} to CSeq ${response.getHeader('CSeq')}, Retry-After ${response.getHeader('Retry-After') ?? 'none'}, Call-ID ${response.call_id}`
  : 'without an answer';

/** Resolves to the fault; to nothing when the call went as it should. */
function call(ua, target) {
  return new Promise((resolve) => {
    let offer = '';
    let fault;
    let asking;
    const session = ua.call(target, media);
    session.on('sdp', (event) => {
      if (event.originator === 'local') offer = event.sdp;
      else if (event.type === 'answer') event.sdp = answer(offer);
    });
    session.on('newInfo', ({ originator, info }) => {
      if (originator === 'local') info.on('failed', ({ response }) => (fault = `INFO ${told(response)}`));
    });
    session.on('confirmed', () => {
      asking = setInterval(() => session.sendInfo('text/plain', 'again'), INFO);
      setTimeout(() => !session.isEnded() && session.terminate(), CALL);
    });
    session.on('failed', ({ cause, message }) => done(`INVITE ${message?.status_code ?? cause}`));
    session.on('ended', ({ originator, cause }) => done(originator === 'local' && cause === 'Terminated' ? fault : `ended: ${cause}`));
    const done = (what) => {
      clearInterval(asking);
      resolve(what);
    };
  });
}

async function again(ua, target) {
  while (!over) {
    const fault = await call(ua, target);
    window.told(fault ? `fault ${fault}, ${new Date().toISOString()}` : 'made');
    await pause(fault ? 1000 : PAUSE);
  }
}

window.begin = async ({ server, uri, target }) => {
  const ua = new JsSIP.UA({ sockets: [new JsSIP.WebSocketInterface(server)], uri, register: false });
  await new Promise((resolve) => {
    ua.once('connected', resolve);
    ua.start();
  });
  ua.on('disconnected', () => window.told('fault the connection has ended'));
  last = again(ua, target);
};

window.end = () => {
  over = true;
  return last;
};
