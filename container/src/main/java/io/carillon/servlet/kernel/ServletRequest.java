package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Rights;
import io.carillon.servlet.port.Caller;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.uri.Uri;
import java.io.IOException;
import java.security.Principal;
import java.util.Objects;
import javax.servlet.ServletContext;
import javax.servlet.sip.Address;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * A request as an application sees it, received or made here. What may be answered lies in its
 * {@link UasTransaction}, what was sent in its {@link UacTransaction}.
 *
 * <p>Owner: the turn of its application session.
 */
public class ServletRequest extends ServletMessage
        implements RequestDefaults, ApplicationThreads.Work {
    private final SessionHost host;
    private final String method;
    private final boolean initial;
    private boolean committed;

    /** Its session, or before there is one its application session; null before both. */
    private volatile @Nullable Object owner;

    /** Its {@link UasTransaction} or its {@link UacTransaction}; null for what has none. */
    private @Nullable Object transaction;

    /** Where it came from; null for a request of ours. */
    private final @Nullable Hop source;

    /** What of a received request's routing was about ourselves; null for a request of ours. */
    private final @Nullable RoutePreprocessing routing;

    /** How its application answers it: its {@link RequestProxy}, {@link #B2BUA}, or not known. */
    private @Nullable Object relay;

    private @Nullable ServletRequest linked;

    /** In place of a proxy: the application asked for the helper of B2BUAs. */
    private static final Object B2BUA = new Object();

    /** A request that came; by {@link SessionObjects} only. */
    @SuppressWarnings("this-escape") // a subclass overrides nothing of the overlay
    public ServletRequest(
            SessionHost host,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        super(received);
        this.host = host;
        this.method = received.method();
        this.initial = initial;
        this.source = source;
        this.routing = routing;
        if (routing.popped() != null || !routing.requestUri().equals(received.requestUri())) {
            routeLater();
        }
    }

    /** A request of ours; by {@link SessionObjects} only. */
    public ServletRequest(SessionHost host, MessageDraft draft, boolean initial) {
        super(draft);
        this.host = host;
        this.method = draft.method();
        this.initial = initial;
        this.source = null;
        this.routing = null;
    }

    /** A request that came from the wire; ACK and CANCEL have no transaction of their own. */
    public static ServletRequest incoming(
            SessionHost host,
            SipRequest received,
            @Nullable ServerTransaction transaction,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        ServletRequest request = host.objects().request(host, received, source, routing, initial);
        if (transaction != null) {
            request.transaction = new UasTransaction(request, received, transaction);
        } else {
            request.committed = true;
        }
        return request;
    }

    /** The received request once more, in the session of a further 2xx to it. */
    static ServletRequest again(ServletRequest original, UasTransaction first, ServletSession own) {
        ServletRequest request =
                original.host
                        .objects()
                        .request(
                                original.host,
                                first.received(),
                                Objects.requireNonNull(original.source),
                                Objects.requireNonNull(original.routing),
                                original.initial);
        request.bind(own);
        request.committed = true;
        request.transaction = new UasTransaction(request, first);
        return request;
    }

    /** A request of ours. */
    public static ServletRequest outgoing(
            ServletSession session, MessageDraft draft, boolean initial) {
        SessionHost host = session.host();
        ServletRequest request = host.objects().request(host, draft, initial);
        request.bind(session);
        request.transaction = new UacTransaction(request);
        return request;
    }

    /** A branch's request as it left a proxy; to be looked at. */
    public static ServletRequest forwarded(ServletRequest original, SipRequest sent) {
        RoutePreprocessing none = new RoutePreprocessing(sent.requestUri(), false, null, false);
        Hop from = Objects.requireNonNull(original.source);
        ServletRequest request =
                original.host.objects().request(original.host, sent, from, none, original.initial);
        request.owner = original.owner;
        request.committed = true;
        request.relay = original.relay;
        return request;
    }

    /** A branch's request before it leaves; the application may prepare it. */
    public static ServletRequest toForward(ServletRequest original, Uri target) {
        MessageDraft draft = original.copyDraft();
        draft.setRequestUri(target);
        ServletRequest request =
                original.host.objects().request(original.host, draft, original.initial);
        request.owner = original.owner;
        request.relay = original.relay;
        request.noted().template = original;
        return request;
    }

    /** Did the application ask for the B2BUA's helper? */
    boolean backToBack() {
        return relay == B2BUA;
    }

    /** Was it written to since it came? */
    public boolean changed() {
        return draftOrNull() != null;
    }

    /** {@code SipSession.createRequest}. */
    public static SipServletRequest inSession(ServletSession session, String method) {
        return SessionRequests.create(session, Objects.requireNonNull(method, "method"));
    }

    /** The session this request belongs to from now on. */
    public void bind(ServletSession session) {
        owner = session;
    }

    /** The application session that will have it, before there is a session. */
    public void bind(ApplicationSession parent) {
        owner = parent;
    }

    // ---- what the container asks ----

    public SessionHost host() {
        return host;
    }

    /**
     * The request is answered and confirmed, but its transaction lingers: of an INVITE the bytes
     * alone are kept, for the rare case of a further 2xx.
     */
    public void pack() {
        if (transaction instanceof UasTransaction server) {
            if (draftOrNull() == null) {
                server.transaction().pack();
                dropMessage();
            }
        } else if (transaction instanceof UacTransaction client && client.sent()) {
            dropMessage();
        }
    }

    @Override
    SipMessage unpacked() {
        UacTransaction client = uac();
        SipRequest kept = client == null ? null : client.sentRequest();
        return kept == null ? received() : kept;
    }

    /** The session, if there is one yet. */
    public @Nullable ServletSession session() {
        return owner instanceof ServletSession session ? session : null;
    }

    private @Nullable ApplicationSession applicationSession() {
        Object own = owner;
        return own instanceof ServletSession session ? session.parent() : (ApplicationSession) own;
    }

    /** The session of a request that has one by its making. */
    ServletSession ownSession() {
        ServletSession own = session();
        if (own == null) {
            throw new IllegalStateException("the request has no session");
        }
        return own;
    }

    public boolean incoming() {
        return source != null;
    }

    public @Nullable UasTransaction uas() {
        return transaction instanceof UasTransaction server ? server : null;
    }

    public @Nullable UacTransaction uac() {
        return transaction instanceof UacTransaction client ? client : null;
    }

    /** What of a received request's routing was about ourselves. */
    @Override
    public RoutePreprocessing ownRoutes() {
        return Objects.requireNonNull(routing);
    }

    public void commit() {
        committed = true;
    }

    /** An ACK that a proxy forwards: the application may change it until it leaves. */
    public void forwardable() {
        committed = false;
    }

    /**
     * The request on the other side of a B2BUA. Requests are linked for as long as their sessions
     * are: in {@code doCancel} and behind the final response too.
     */
    public @Nullable ServletRequest linked() {
        ServletRequest other = linked;
        if (other == null) {
            return null;
        }
        ServletSession here = session();
        ServletSession there = other.session();
        return here != null && here.linked() == there ? other : null;
    }

    public void link(@Nullable ServletRequest other) {
        linked = other;
    }

    public void proxiedBy(RequestProxy chosen) {
        relay = chosen;
    }

    public @Nullable RequestProxy proxyOrNull() {
        return relay instanceof RequestProxy proxy ? proxy : null;
    }

    /**
     * Via is written when the request leaves (RFC 3261 18.1.1). Before, applications see that of
     * our first listening point, without a branch; nothing in it can be changed.
     */
    @Override
    @Nullable LiveElement viaToBe() throws ServletParseException {
        UacTransaction client = uac();
        if (client == null) {
            return null;
        }
        SipRequest sent = client.sentRequest();
        String via = sent == null ? host.outboundInterfaces().via() : sent.header(HeaderName.VIA);
        return via == null ? null : HeaderElements.parse(via, false, Rights.READ_ONLY, null);
    }

    /** The request as it was received. */
    public SipRequest received() {
        UasTransaction server = uas();
        if (server == null) {
            throw new IllegalStateException("the request was not received");
        }
        return server.received();
    }

    // ---- the message base ----

    @Override
    public boolean isSecure() {
        return MessageContext.secure(source, UasTransaction.server(uas()));
    }

    @Override
    protected @Nullable Hop receivedFrom() {
        return source;
    }

    @Override
    protected @Nullable Hop initiallyReceivedFrom() {
        return initialHop();
    }

    /**
     * Where the container got it, whatever applications it passed; null when one made it. In a
     * dialog between applications nothing tells where the first of them got it, and the addresses
     * of such a hop are our own: nobody may be trusted for them.
     */
    public @Nullable Hop initialHop() {
        ServletRequest original = known().template;
        if (original != null) {
            return original.initialHop();
        }
        Passage own = known().passage;
        if (own != null) {
            return own.initialHop();
        }
        Hop from = source;
        return from == null || from.internal() ? null : from.initial();
    }

    /** Where whoever began it is counted in the accounts of sources. */
    public int countedAt() {
        ServletRequest original = known().template;
        if (original != null) {
            return original.countedAt();
        }
        Passage own = known().passage;
        return own == null ? host().tables().shares().place(source) : own.countedAt();
    }

    /** What is known of it beside what stands in it. */
    public RequestExtras known() {
        RequestExtras rare = (RequestExtras) extrasOrNull();
        return rare == null ? RequestExtras.NONE : rare;
    }

    /** The same, to be added to. */
    public RequestExtras noted() {
        return (RequestExtras) extras();
    }

    @Override
    MessageExtras newExtras() {
        return new RequestExtras();
    }

    @Override
    protected int statusOrZero() {
        return 0;
    }

    @Override
    public String getMethod() {
        return method;
    }

    /** The stack's 487 to a CANCEL counts before the turn hears of it; any thread. */
    @Override
    public boolean isCommitted() {
        return closed()
                || (transaction instanceof UasTransaction server
                        && server.transaction().finalClaimed());
    }

    @Override
    protected boolean closed() {
        return committed;
    }

    // ---- sessions ----

    @Override
    public ServletSession getSession() {
        return ownSession();
    }

    @Override
    public @Nullable ServletSession getSession(boolean create) {
        return session();
    }

    @Override
    public ApplicationSession getApplicationSession() {
        ApplicationSession own = applicationSession();
        if (own == null) {
            throw new IllegalStateException("the request belongs to no application yet");
        }
        return own;
    }

    @Override
    public @Nullable ApplicationSession getApplicationSession(boolean create) {
        return applicationSession();
    }

    // ---- request line and routing ----

    @Override
    public URI getRequestURI() {
        return requestUriView();
    }

    @Override
    public void setRequestURI(URI uri) {
        Objects.requireNonNull(uri, "uri");
        checkWritable();
        putRequestUri(Addresses.toUri(uri));
    }

    @Override
    public int getMaxForwards() {
        MessageDraft written = draftBesideRoutes();
        return written == null ? below().maxForwards() : written.maxForwards();
    }

    @Override
    public void setMaxForwards(int n) {
        if (n < 0 || n > 255) {
            throw new IllegalArgumentException("Max-Forwards is 0 to 255, not " + n);
        }
        checkWritable();
        put(HeaderName.MAX_FORWARDS, Integer.toString(n));
    }

    @Override
    public void pushRoute(SipURI uri) {
        pushRoute(NameAddress.of(Addresses.toUri(Objects.requireNonNull(uri, "uri"))));
    }

    @Override
    public void pushRoute(Address uri) {
        pushRoute(Addresses.toNameAddress(Objects.requireNonNull(uri, "uri")));
    }

    private void pushRoute(NameAddress route) {
        checkWritable();
        // SIP Servlet 1.1, pushRoute: what is pushed is a loose router.
        NameAddress loose = Addresses.looseRouter(route, "Route");
        if (!initial) {
            throw new IllegalStateException("the route of a request in a dialog is the dialog's");
        }
        putFirst(HeaderName.ROUTE, loose.toString());
    }

    @Override
    public void pushPath(Address uri) {
        NameAddress path = Addresses.toNameAddress(Objects.requireNonNull(uri, "uri"));
        if (!method.equals(Methods.REGISTER)) {
            throw new IllegalStateException("Path is for REGISTER");
        }
        checkWritable();
        putFirst(HeaderName.PATH, Addresses.looseRouter(path, "Path").toString());
    }

    @Override
    public @Nullable Address getPoppedRoute() {
        NameAddress popped = poppedRoute();
        return popped == null ? null : Addresses.readOnly(popped);
    }

    /** The route of ours that brought it to this application. */
    public @Nullable NameAddress poppedRoute() {
        Passage own = known().passage;
        if (own != null && own.poppedByRouter() != null) {
            return own.poppedByRouter();
        }
        RoutePreprocessing seen = routing;
        return seen == null ? null : seen.popped();
    }

    @Override
    public @Nullable Address getInitialPoppedRoute() {
        NameAddress popped = initialPoppedRoute();
        return popped == null ? null : Addresses.readOnly(popped);
    }

    /** The route of ours that brought it to the first application. */
    public @Nullable NameAddress initialPoppedRoute() {
        Passage own = known().passage;
        return own == null ? poppedRoute() : own.initialPopped();
    }

    /**
     * Parameters are those of the URI that we put into Record-Route or Path, else of the
     * Request-URI (SIP Servlet 1.1, 5.6.1).
     */
    @Override
    public @Nullable Uri parameterUri() {
        NameAddress popped = poppedRoute();
        return popped != null ? popped.uri() : requestUri();
    }

    @Override
    public boolean isInitial() {
        return initial;
    }

    @Override
    public SipApplicationRoutingRegion getRegion() {
        ServletSession own = session();
        SessionPath.Routing before = own == null ? known().routing : null;
        if (before != null) {
            return before.region();
        }
        if (own == null || !initial) {
            throw new IllegalStateException(
                    "only an initial request that reached its application has a region");
        }
        return own.getRegion();
    }

    @Override
    public @Nullable URI getSubscriberURI() {
        ServletSession own = session();
        SessionPath.Routing before = own == null ? known().routing : null;
        if (before != null) {
            return before.subscriber();
        }
        if (own == null || !initial) {
            throw new IllegalStateException(
                    "only an initial request that reached its application has a subscriber");
        }
        return own.getSubscriberURI();
    }

    @Override
    public SipApplicationRoutingDirective getRoutingDirective() {
        if (!initial) {
            throw new IllegalStateException("not an initial request");
        }
        SipApplicationRoutingDirective own = known().directive;
        if (own != null) {
            return own;
        }
        // JSR 289, 15.3: what continues a received request goes on with the state of its session.
        ServletSession of = session();
        return incoming() || (of != null && of.path().routing() != null)
                ? SipApplicationRoutingDirective.CONTINUE
                : SipApplicationRoutingDirective.NEW;
    }

    @Override
    public void setRoutingDirective(
            SipApplicationRoutingDirective chosen, SipServletRequest origin) {
        if (!initial || committed || incoming()) {
            throw new IllegalStateException(
                    "the directive is set on a new initial request before it is sent");
        }
        if (Objects.requireNonNull(chosen, "directive") != SipApplicationRoutingDirective.NEW) {
            // JSR 289, 15.3: CONTINUE and REVERSE need an initial request that came to this
            // application.
            ServletSession from =
                    origin instanceof ServletRequest other && other.initial && other.incoming()
                            ? other.session()
                            : null;
            if (from == null || from.application() != ownSession().application()) {
                throw new IllegalStateException(
                        chosen + " needs an initial request which this application received");
            }
            ownSession().path().setRouting(from.path().routing());
        }
        noted().directive = chosen;
    }

    @Override
    public @Nullable ServletContext getServletContext() {
        ApplicationSession own = applicationSession();
        return own == null ? null : own.application().context();
    }

    @Override
    final @Nullable MailBodies mailBodies() {
        ApplicationSession own = applicationSession();
        return own == null ? null : own.application().mailBodies();
    }

    // ---- answers, CANCEL, sending ----

    @Override
    public SipServletResponse createResponse(int status) {
        return createResponse(status, null);
    }

    @Override
    public SipServletResponse createResponse(int status, @Nullable String reason) {
        UasTransaction server = uas();
        if (server == null) {
            throw new IllegalStateException(
                    incoming()
                            ? method + " is not answered"
                            : "only a received request is answered");
        }
        return server.create(status, reason);
    }

    @Override
    public SipServletRequest createCancel() {
        UacTransaction client = uac();
        if (client == null) {
            throw new IllegalStateException("only a request that was sent here can be cancelled");
        }
        return client.createCancel();
    }

    @Override
    public void send() throws IOException {
        UacTransaction client = uac();
        if (client == null) {
            throw new IllegalStateException(
                    "a received request is not sent but answered, proxied or linked");
        }
        client.send();
    }

    // ---- proxy and B2BUA ----

    @Override
    public @Nullable Proxy getProxy() throws TooManyHopsException {
        return getProxy(true);
    }

    @Override
    public @Nullable Proxy getProxy(boolean create) throws TooManyHopsException {
        RequestProxy own = proxyOrNull();
        if (own == null && (create || proxiedDialog())) {
            UasTransaction server = uas();
            if (server == null) {
                throw new IllegalStateException(
                        "only a received request that has a transaction is proxied");
            }
            if (backToBack()) {
                throw new IllegalStateException("the application is a B2BUA for this request");
            }
            server.checkUnanswered();
            // RFC 3261 16.3 item 3: "the element MUST return a 483 (Too many hops) response."
            if (getMaxForwards() == 0) {
                server.answer(SipServletResponse.SC_TOO_MANY_HOPS);
                throw new TooManyHopsException("Max-Forwards is 0");
            }
            own = host.hooks().proxy(this, server);
            relay = own;
        }
        return own;
    }

    /**
     * JSR 289, 10.2.8: what comes in a dialog that is proxied is proxied too, so there is a Proxy
     * for it, of its own transaction, until somebody has answered it.
     */
    private boolean proxiedDialog() {
        UasTransaction server = uas();
        ServletSession own = session();
        return server != null
                && own != null
                && own.dialog().proxied() != null
                && !isInitial()
                && !backToBack()
                && !server.finalSent()
                && getMaxForwards() != 0;
    }

    @Override
    public B2buaHelper getB2buaHelper() {
        if (proxyOrNull() != null) {
            throw new IllegalStateException("the application is a proxy for this request");
        }
        relay = B2BUA;
        return host.hooks().b2bua();
    }

    // ---- security ----

    @Override
    public void addAuthHeader(SipServletResponse challenge, AuthInfo authInfo) {
        addAuthHeader(challenge, authInfo, true);
    }

    /** The same; {@code keep}: later requests of the session carry these credentials too. */
    public void addAuthHeader(SipServletResponse challenge, AuthInfo authInfo, boolean keep) {
        Objects.requireNonNull(challenge, "challengeResponse");
        Objects.requireNonNull(authInfo, "authInfo");
        ownSession().parent().enterNow(); // the session keeps its challenges and their counts
        try {
            checkWritable();
            host.hooks().answerChallenge(this, challenge, authInfo, keep);
        } finally {
            ownSession().parent().exit();
        }
    }

    @Override
    public void addAuthHeader(SipServletResponse challenge, String username, String password) {
        addAuthHeader(challenge, username, password, true);
    }

    /** The same; {@code keep}: later requests of the session carry these credentials too. */
    public void addAuthHeader(
            SipServletResponse challenge, String username, String password, boolean keep) {
        Objects.requireNonNull(challenge, "challengeResponse");
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(password, "password");
        ownSession().parent().enterNow(); // as above
        try {
            checkWritable();
            host.hooks().answerChallenge(this, challenge, username, password, keep);
        } finally {
            ownSession().parent().exit();
        }
    }

    /** Who sent it, as the gate found out. */
    public void authenticated(@Nullable Caller known) {
        if (known != null || extrasOrNull() != null) {
            noted().caller = known;
        }
    }

    /** The Request-URI of a received request as it came from outside. */
    public Uri askedUri() {
        Passage by = known().passage();
        Uri first = by == null ? null : by.provenance().requestUri();
        if (first != null) {
            return first;
        }
        return incoming() ? received().requestUri() : requestUri();
    }

    @Override
    public @Nullable String getRemoteUser() {
        Caller known = known().caller();
        return known == null ? null : known.name();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return known().caller();
    }

    @Override
    public boolean isUserInRole(String role) {
        Caller known = known().caller();
        ServletSession own = session();
        if (known == null || own == null) {
            return false;
        }
        String meant =
                own.application().description().security().roleOf(own.handler().name(), role);
        return known.roles().contains(meant);
    }

    /** Who signed for its caller, as applications see it in attributes. */
    public void verified(@Nullable IdentityResult result) {
        if (result != null) {
            noted().verified(result);
            result.tell(this);
        }
    }

    // ---- the watchdog's view ----

    @Override
    public String application() {
        ApplicationSession own = applicationSession();
        return own == null ? "" : own.application().name();
    }

    @Override
    public String servlet() {
        ServletSession own = session();
        return own == null ? "" : own.handler().name();
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String callId() {
        return getCallId();
    }

    @Override
    public String toString() {
        return freeze().toString();
    }
}
