package io.carillon.server.log;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallContext;
import io.carillon.servlet.kernel.ServletMessage;
import io.carillon.servlet.kernel.ServletSession;
import java.util.Locale;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** Of whom more is logged. Immutable; asked on the thread that would log. */
sealed interface RaisedChoice {
    /** Does the calling thread work for it? */
    boolean now();

    /** For people. */
    String text();

    /** One call, by a Call-ID of it or the id of its application session. */
    record ByCall(String id) implements RaisedChoice {
        @Override
        public boolean now() {
            ServletMessage message = CallContext.messageOfThread();
            if (message != null && id.equals(message.getCallId())) {
                return true;
            }
            ApplicationSession session = CallContext.sessionOfThread();
            if (session == null) {
                return false;
            }
            if (id.equals(session.getId())) {
                return true;
            }
            for (ServletSession one : session.sessions()) {
                if (id.equals(one.getCallId())) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String text() {
            return "call " + id;
        }
    }

    /**
     * Calls from or to one user.
     *
     * @param host null: any
     */
    record ByUser(String user, @Nullable String host) implements RaisedChoice {
        /**
         * @param written as {@code sip:alice@example.com}, {@code alice} or {@code +4930123}
         */
        static ByUser of(String written) {
            String rest = written.replaceFirst("(?i)^(sips?|tel):", "");
            int end = rest.indexOf(';');
            rest = end < 0 ? rest : rest.substring(0, end);
            int at = rest.indexOf('@');
            String host = at < 0 ? null : rest.substring(at + 1).toLowerCase(Locale.ROOT);
            return new ByUser(at < 0 ? rest : rest.substring(0, at), host);
        }

        @Override
        public boolean now() {
            ServletMessage message = CallContext.messageOfThread();
            if (message != null
                    && (is(message.getFrom())
                            || is(message.getTo())
                            || (message instanceof SipServletRequest request
                                    && is(request.getRequestURI())))) {
                return true;
            }
            ApplicationSession session = CallContext.sessionOfThread();
            if (session == null) {
                return false;
            }
            for (ServletSession one : session.sessions()) {
                if (is(one.getLocalParty()) || is(one.getRemoteParty())) {
                    return true;
                }
            }
            return false;
        }

        private boolean is(@Nullable Address party) {
            return party != null && is(party.getURI());
        }

        private boolean is(URI uri) {
            if (uri instanceof SipURI sip) {
                return user.equals(sip.getUser())
                        && (host == null || host.equalsIgnoreCase(sip.getHost()));
            }
            return host == null
                    && uri instanceof TelURL tel
                    && plain(user).equals(plain(tel.getPhoneNumber()));
        }

        private static String plain(String number) {
            return number.startsWith("+") ? number.substring(1) : number;
        }

        @Override
        public String text() {
            return "user " + user + (host == null ? "" : "@" + host);
        }
    }
}
