// A phone on JsSIP: what the test, or a page of your own, does with it.
import JsSIP from 'jssip';

const media = { mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers: [] } };

export class Phone {
  #ua;
  #domain;
  #session = null;

  /** `tell` is called with what happens: one word, and what belongs to it. */
  constructor({ server, domain, user, password, tell }) {
    this.tell = tell;
    this.#domain = domain;
    this.#ua = new JsSIP.UA({
      sockets: [new JsSIP.WebSocketInterface(server)],
      uri: `sip:${user}@${domain}`,
      password,
      register: false,
    });
    this.#ua.on('registered', () => tell('registered'));
    this.#ua.on('unregistered', () => tell('unregistered'));
    this.#ua.on('registrationFailed', ({ cause }) => tell('registration failed', cause));
    this.#ua.on('newRTCSession', ({ session, originator }) => {
      if (originator === 'remote') {
        this.#take(session);
        tell('rings', session.remote_identity.uri.user);
      }
    });
    this.#ua.on('connected', () => tell('connected'));
    this.#ua.start();
  }

  #take(session) {
    this.#session = session;
    session.on('progress', ({ originator }) => originator === 'remote' && this.tell('it rings there'));
    session.on('confirmed', () => this.tell('talks'));
    session.on('failed', ({ message, cause }) => this.#over(session, message?.status_code ?? cause));
    session.on('ended', ({ cause }) => this.#over(session, cause));
    session.on('hold', ({ originator }) => originator === 'remote' && this.tell('is held'));
    session.on('unhold', ({ originator }) => originator === 'remote' && this.tell('is resumed'));
    // baresip 1.0 leaves the choice open in an answer, which RFC 8842 5.3 forbids and browsers refuse.
    session.on('sdp', (event) => {
      if (event.originator === 'remote' && event.type === 'answer') event.sdp = event.sdp.replace('a=setup:actpass', 'a=setup:passive');
    });
    session.on('refer', ({ request, accept }) => {
      this.tell('is transferred', request.refer_to.uri.user);
      accept((next) => this.#take(next), media);
    });
  }

  #over(session, cause) {
    if (this.#session === session) this.#session = null;
    this.tell('over', cause);
  }

  register() {
    this.#ua.register();
  }

  unregister() {
    this.#ua.unregister();
  }

  call(user) {
    this.#take(this.#ua.call(`sip:${user}@${this.#domain}`, media));
  }

  answer() {
    this.#session.answer(media);
  }

  reject() {
    this.#session.terminate({ status_code: 486 });
  }

  hangUp() {
    this.#session?.terminate();
  }

  hold() {
    this.#session.hold({}, () => this.tell('holds'));
  }

  resume() {
    this.#session.unhold({}, () => this.tell('resumes'));
  }

  /** Sends the other side to somebody else, and hangs up when that one has answered. */
  transfer(user) {
    const session = this.#session;
    const refer = session.refer(`sip:${user}@${this.#domain}`);
    refer.on('requestSucceeded', () => this.tell('transfer', 'accepted'));
    refer.on('requestFailed', () => this.tell('transfer', 'refused'));
    refer.on('progress', ({ status_line }) => this.tell('transfer', status_line.status_code));
    refer.on('failed', ({ status_line }) => this.tell('transfer', status_line.status_code));
    refer.on('accepted', ({ status_line }) => {
      this.tell('transfer', status_line.status_code);
      if (!session.isEnded()) session.terminate();
    });
  }

  get connection() {
    return this.#session?.connection;
  }
}
