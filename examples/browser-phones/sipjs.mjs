// A phone on SIP.js: what the test, or a page of your own, does with it.
import { Inviter, Registerer, RegistererState, SessionState, UserAgent } from 'sip.js';

const media = { constraints: { audio: true, video: false } };

// baresip 1.0 leaves the choice open in an answer, which RFC 8842 5.3 forbids and browsers refuse.
const decided = async (description) =>
  description.type === 'answer' ? { ...description, sdp: description.sdp.replace('a=setup:actpass', 'a=setup:passive') } : description;

export class Phone {
  #ua;
  #registerer;
  #domain;
  #session = null;

  /** `tell` is called with what happens: one word, and what belongs to it. */
  constructor({ server, domain, user, password, tell }) {
    this.tell = tell;
    this.#domain = domain;
    this.#ua = new UserAgent({
      uri: this.#uri(user),
      transportOptions: { server },
      authorizationUsername: user,
      authorizationPassword: password,
      sessionDescriptionHandlerFactoryOptions: { peerConnectionConfiguration: { iceServers: [] } },
      delegate: {
        onInvite: (invitation) => {
          this.#take(invitation);
          tell('rings', invitation.remoteIdentity.uri.user);
        },
      },
      logLevel: 'warn',
    });
    this.#registerer = new Registerer(this.#ua);
    this.#registerer.stateChange.addListener((state) => {
      if (state === RegistererState.Registered) tell('registered');
      if (state === RegistererState.Unregistered) tell('unregistered');
    });
    this.#ua.start().then(() => tell('connected'));
  }

  #uri(user) {
    return UserAgent.makeURI(`sip:${user}@${this.#domain}`);
  }

  #take(session) {
    this.#session = session;
    session.stateChange.addListener((state) => {
      if (state === SessionState.Established) this.tell('talks');
      if (state === SessionState.Terminated) {
        if (this.#session === session) this.#session = null;
        queueMicrotask(() => this.tell('over', session.failed)); // the reason is told last
      }
    });
    session.delegate = {
      onInvite: (request) => this.#heldOrNot(request),
      onRefer: async (referral) => {
        this.tell('is transferred', referral.referTo.uri.user);
        await referral.accept();
        const next = referral.makeInviter({ sessionDescriptionHandlerOptions: media });
        this.#take(next);
        await this.#invite(next);
      },
    };
  }

  #heldOrNot(request) {
    const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m.exec(request.body)?.[1] ?? 'sendrecv';
    this.tell(direction === 'sendrecv' ? 'is resumed' : 'is held');
  }

  #invite(inviter) {
    return inviter.invite({
      requestDelegate: {
        onProgress: ({ message }) => message.statusCode > 100 && this.tell('it rings there'),
        onReject: ({ message }) => (inviter.failed = message.statusCode),
      },
    });
  }

  register() {
    this.#registerer.register({ requestDelegate: { onReject: ({ message }) => this.tell('registration failed', message.statusCode) } });
  }

  unregister() {
    this.#registerer.unregister();
  }

  call(user) {
    const inviter = new Inviter(this.#ua, this.#uri(user), { sessionDescriptionHandlerOptions: media });
    this.#take(inviter);
    this.#invite(inviter);
  }

  answer() {
    this.#session.accept({ sessionDescriptionHandlerOptions: media });
  }

  reject() {
    this.#session.reject({ statusCode: 486 });
  }

  hangUp() {
    const session = this.#session;
    if (session?.state === SessionState.Established) session.bye();
    else if (session instanceof Inviter) session.cancel();
    else session?.reject();
  }

  #change(hold, word) {
    const session = this.#session;
    session.sessionDescriptionHandlerOptionsReInvite = { hold };
    session.sessionDescriptionHandlerModifiersReInvite = [decided];
    session.invite({ requestDelegate: { onAccept: () => this.tell(word), onReject: ({ message }) => this.tell(word + ' refused', message.statusCode) } });
  }

  hold() {
    this.#change(true, 'holds');
  }

  resume() {
    this.#change(false, 'resumes');
  }

  /** Sends the other side to somebody else, and hangs up when that one has answered. */
  transfer(user) {
    const session = this.#session;
    session.refer(this.#uri(user), {
      requestDelegate: {
        onAccept: () => this.tell('transfer', 'accepted'),
        onReject: () => this.tell('transfer', 'refused'),
      },
      onNotify: (notification) => {
        notification.accept();
        const status = Number(/^SIP\/2\.0 (\d+)/.exec(notification.request.body)?.[1]);
        if (status !== 100) this.tell('transfer', status);
        if (status >= 200 && status < 300 && session.state === SessionState.Established) session.bye();
      },
    });
  }

  get connection() {
    return this.#session?.sessionDescriptionHandler?.peerConnection;
  }
}
