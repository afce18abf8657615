package io.carillon.examples.uacregistercall;

import java.util.Iterator;
import java.util.ListIterator;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/** The account's user and password, and when they are shown. */
final class Credentials {
    private static final String TRIES = "tries";
    private static final int MAX_TRIES = 3;

    private final SipFactory factory;
    private final String user;
    private final String password;
    private final String onlyRealm;

    /**
     * @param onlyRealm null to answer whoever asks
     */
    Credentials(SipFactory factory, String user, String password, String onlyRealm) {
        this.factory = factory;
        this.user = user;
        this.password = password;
        this.onlyRealm = onlyRealm;
    }

    /**
     * Puts the answer to a challenge into the next request of the same session. False when there is
     * none: another realm, or our answer was refused. RFC 3261 22.2: a client "SHOULD NOT" try the
     * same credentials again; a nonce that went stale says nothing about them.
     */
    boolean answer(SipServletRequest again, SipServletResponse challenge) {
        SipSession session = challenge.getSession();
        Object before = session.getAttribute(TRIES);
        int tries = before == null ? 0 : (Integer) before;
        if (tries >= MAX_TRIES) {
            return false;
        }
        AuthInfo known = factory.createAuthInfo();
        boolean any = false;
        Iterator<String> realms = challenge.getChallengeRealms();
        while (realms.hasNext()) {
            String realm = realms.next();
            boolean refused =
                    tries > 0 && !stale(challenge) && carries(challenge.getRequest(), realm);
            if (!refused && (onlyRealm == null || onlyRealm.equals(realm))) {
                known.addAuthInfo(challenge.getStatus(), realm, user, password);
                any = true;
            }
        }
        if (any) {
            session.setAttribute(TRIES, tries + 1);
            again.addAuthHeader(challenge, known);
        }
        // A challenge with algorithms that nobody here knows gets no answer either.
        return any
                && (again.getHeader("Authorization") != null
                        || again.getHeader("Proxy-Authorization") != null);
    }

    /** The answer was accepted: the next challenge is a new one. */
    static void accepted(SipSession session) {
        session.removeAttribute(TRIES);
    }

    private static boolean stale(SipServletResponse challenge) {
        return has(challenge.getHeaders("WWW-Authenticate"), "(?i).*\\bstale=\"?true\\b.*")
                || has(challenge.getHeaders("Proxy-Authenticate"), "(?i).*\\bstale=\"?true\\b.*");
    }

    private static boolean carries(SipServletRequest request, String realm) {
        String pattern = ".*\\brealm=\"\\Q" + realm + "\\E\".*";
        return has(request.getHeaders("Authorization"), pattern)
                || has(request.getHeaders("Proxy-Authorization"), pattern);
    }

    private static boolean has(ListIterator<String> values, String pattern) {
        while (values.hasNext()) {
            if (values.next().matches(pattern)) {
                return true;
            }
        }
        return false;
    }
}
