package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.feature.b2bua.BackToBack;
import io.carillon.servlet.feature.security.UserCredentials;
import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.SessionRequests;
import io.carillon.servlet.port.ContainerShards;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import io.carillon.sip.uri.Uri;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** The SIP factory of one application. Any thread. */
public final class SipRequests implements SipFactory {
    private final NewSessions newSessions;
    private final ContainerShards shards;
    private final BackToBack backToBack;
    private final Application application;

    SipRequests(
            NewSessions newSessions,
            ContainerShards shards,
            BackToBack backToBack,
            Application application) {
        this.newSessions = newSessions;
        this.shards = shards;
        this.backToBack = backToBack;
        this.application = application;
    }

    // ---- addresses ----

    @Override
    public Address createAddress(String text) throws ServletParseException {
        return AddressFactory.createAddress(text);
    }

    @Override
    public Address createAddress(URI uri) {
        return AddressFactory.createAddress(uri);
    }

    @Override
    public Address createAddress(URI uri, @Nullable String displayName) {
        return AddressFactory.createAddress(uri, displayName);
    }

    @Override
    public Parameterable createParameterable(String text) throws ServletParseException {
        return AddressFactory.createParameterable(text);
    }

    @Override
    public SipURI createSipURI(@Nullable String user, String host) {
        return AddressFactory.createSipURI(user, host);
    }

    @Override
    public URI createURI(String text) throws ServletParseException {
        return AddressFactory.createURI(text);
    }

    @Override
    public AuthInfo createAuthInfo() {
        return new UserCredentials();
    }

    // ---- application sessions ----

    @Override
    public SipApplicationSession createApplicationSession() {
        ApplicationSession made = newSessions.begin(application, shards.beginning());
        made.announce();
        return made;
    }

    @Override
    public SipApplicationSession createApplicationSessionByKey(String key) {
        ApplicationSession found =
                newSessions.keyed(application, Objects.requireNonNull(key, "key"));
        found.inTurn(found::announce); // somebody else may have it already
        return found;
    }

    // ---- requests ----

    @Override
    public SipServletRequest createRequest(
            SipApplicationSession session, String method, Address from, Address to) {
        return create(
                session,
                method,
                Addresses.forFromTo(Objects.requireNonNull(from, "from")),
                Addresses.forFromTo(Objects.requireNonNull(to, "to")),
                Addresses.toNameAddress(to).uri());
    }

    @Override
    public SipServletRequest createRequest(
            SipApplicationSession session, String method, URI from, URI to) {
        return create(
                session,
                method,
                Addresses.forFromTo(Objects.requireNonNull(from, "from")),
                Addresses.forFromTo(Objects.requireNonNull(to, "to")),
                Addresses.toUri(to));
    }

    @Override
    public SipServletRequest createRequest(
            SipApplicationSession session, String method, String from, String to)
            throws ServletParseException {
        return createRequest(
                session,
                method,
                createAddress(Objects.requireNonNull(from, "from")),
                createAddress(Objects.requireNonNull(to, "to")));
    }

    private SipServletRequest create(
            SipApplicationSession given,
            String method,
            NameAddress from,
            NameAddress to,
            Uri target) {
        return create(given, method, from, to, target, null);
    }

    /**
     * A request with a Call-ID of the application's choice, which has to be unique in the world
     * (RFC 3261 8.1.1.4).
     *
     * @param callId null: one of ours
     */
    public SipServletRequest createRequest(
            SipApplicationSession session,
            String method,
            Address from,
            Address to,
            @Nullable String callId) {
        if (callId != null && !isCallId(callId)) {
            throw new IllegalArgumentException("'" + callId + "' is no Call-ID");
        }
        return create(
                session,
                method,
                Addresses.forFromTo(Objects.requireNonNull(from, "from")),
                Addresses.forFromTo(Objects.requireNonNull(to, "to")),
                Addresses.toNameAddress(to).uri(),
                callId);
    }

    /** RFC 3261 25.1: callid = word [ "@" word ]. */
    private static boolean isCallId(String text) {
        int at = text.indexOf('@');
        return at < 0
                ? isWord(text)
                : isWord(text.substring(0, at)) && isWord(text.substring(at + 1));
    }

    private static boolean isWord(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c ->
                                c < 128
                                        && (Character.isLetterOrDigit(c)
                                                || "-.!%*_+`'~()<>:\\\"/[]?{}".indexOf(c) >= 0));
    }

    private SipServletRequest create(
            SipApplicationSession given,
            String method,
            NameAddress from,
            NameAddress to,
            Uri target,
            @Nullable String callId) {
        if (!(Objects.requireNonNull(given, "appSession") instanceof ApplicationSession parent)) {
            throw new IllegalArgumentException("not a session of this container: " + given);
        }
        Objects.requireNonNull(method, "method");
        // SIP Servlet 1.1: ACK and CANCEL are made from the message they belong to.
        if (method.equals(Methods.ACK) || method.equals(Methods.CANCEL) || !Ascii.isToken(method)) {
            throw new IllegalArgumentException(
                    "'" + method + "' cannot be created outside of a dialog");
        }
        if (!parent.isValid()) {
            throw new IllegalArgumentException("the application session is invalid");
        }
        NamedServlet handler = mainServlet(parent.application());
        parent.enterNow();
        try {
            return SessionRequests.begin(
                    parent,
                    handler,
                    callId != null ? callId : CallPartition.newCallId(parent),
                    method,
                    from,
                    to,
                    target);
        } finally {
            parent.exit();
        }
    }

    /**
     * The main servlet handles what the application begins itself, until it sets another handler.
     *
     * @param application the session's: it may be an older version than the one that asks
     */
    private static NamedServlet mainServlet(Application application) {
        String name = application.description().mainServlet();
        NamedServlet main =
                application.servlet(
                        name != null
                                ? name
                                : application.description().servlets().getFirst().name());
        if (main == null) {
            throw new IllegalStateException(
                    "the application " + application.name() + " is being started or stopped");
        }
        return main;
    }

    @Override
    @Deprecated
    public SipServletRequest createRequest(SipServletRequest original, boolean sameCallId) {
        if (!(Objects.requireNonNull(original, "origRequest") instanceof ServletRequest received)) {
            throw new IllegalArgumentException("not a request of this container");
        }
        // SIP Servlet 1.1 has it deprecated for B2buaHelper.createRequest, which does the same and
        // links.
        ApplicationSession parent = received.getApplicationSession();
        parent.enterNow();
        try {
            return backToBack.copy(received, sameCallId ? received.getCallId() : null, null);
        } finally {
            parent.exit();
        }
    }
}
