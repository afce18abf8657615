package io.carillon.examples.uacregistercall;

import java.util.Iterator;
import java.util.ListIterator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/** The account's user and password, and when they are shown. */
final class Credentials {
    private static final String TRIES = "tries";
    private static final int MAX_TRIES = 3;
    private static final Pattern REALM = Pattern.compile("\\brealm=\"([^\"]*)\"");

    private final SipFactory factory;
    private final String user;
    private final String password;
    private final String onlyRealm;

    /** Of the registrar that took our answer last; null until one has. */
    private volatile String registrarsRealm;

    /**
     * @param onlyRealm who alone gets an answer; null for the registrar, which says its realm, and
     *     for whom its realm is that of calls too
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
            if (!refused && isOurs(challenge, realm)) {
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

    /** Whom we call names what realm he likes, and a nonce that he has made a table for. */
    private boolean isOurs(SipServletResponse challenge, String realm) {
        if (onlyRealm != null) {
            return onlyRealm.equals(realm);
        }
        return challenge.getMethod().equals("REGISTER") || realm.equals(registrarsRealm);
    }

    /** The registrar has taken our answer to its challenge, where it sent one. */
    void registered(SipServletResponse ok) {
        ListIterator<String> shown = ok.getRequest().getHeaders("Authorization");
        while (shown.hasNext()) {
            Matcher realm = REALM.matcher(shown.next());
            if (realm.find()) {
                registrarsRealm = realm.group(1);
            }
        }
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
