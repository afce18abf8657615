package io.carillon.examples.transfer;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/**
 * Who sent a REFER hears how it goes (RFC 3515 2.4.4 and 2.4.5): NOTIFY requests with the first
 * line of a response. One is on its way at a time, so that none overtakes another, and one more
 * waits: the newest. Whoever does not answer costs no more than that.
 */
final class Asker {
    private static final String NEWS = "news";
    private static final String HUNG_UP = "hungUp";
    private static final char LAST = '!';
    private static final int LONGEST_REASON = 64;

    private Asker() {}

    /** He has hung up; his subscription may go on without the call (RFC 5057 4). */
    static void hungUp(SipSession asker) {
        asker.setAttribute(HUNG_UP, true);
    }

    static boolean onTheCall(SipSession leg) {
        return alive(leg) && leg.getAttribute(HUNG_UP) == null;
    }

    private static boolean alive(SipSession asker) {
        return asker != null && asker.isValid() && asker.getState() == SipSession.State.CONFIRMED;
    }

    static String statusLine(SipServletResponse response) {
        String reason = response.getReasonPhrase();
        int length = Math.min(LONGEST_REASON, reason.length());
        if (length < reason.length() && Character.isHighSurrogate(reason.charAt(length - 1))) {
            length--; // half a character cannot be written
        }
        return "SIP/2.0 " + response.getStatus() + " " + reason.substring(0, length);
    }

    /**
     * Tells now, or as soon as what was told before is answered; then only where nothing newer is
     * to be told by that time.
     *
     * @param event the Event of the implicit subscription
     * @param last whether that ends it
     */
    static void tell(SipSession asker, String event, String statusLine, boolean last)
            throws IOException {
        if (alive(asker)) {
            Deque<String> waiting = waiting(asker);
            asker.setAttribute("event", event);
            if (waiting.size() > 1) {
                waiting.removeLast();
            }
            waiting.add(last ? LAST + statusLine : statusLine);
            if (waiting.size() == 1) {
                send(asker, waiting.peek());
            }
        }
    }

    /** Has he still to be told how what he asked for before has ended? */
    static boolean behind(SipSession asker) {
        return waiting(asker).size() > 1;
    }

    /** A NOTIFY was answered. True when it was the last one and its dialog is there still. */
    static boolean heard(SipServletResponse toNotify) throws IOException {
        SipSession asker = toNotify.getSession();
        if (toNotify.getStatus() < 200 || !alive(asker)) {
            return false;
        }
        Deque<String> waiting = waiting(asker);
        String done = waiting.poll();
        if (!waiting.isEmpty()) {
            send(asker, waiting.peek());
        }
        return done != null && done.charAt(0) == LAST;
    }

    /** The head is on its way, one at most waits behind it. */
    @SuppressWarnings("unchecked") // only this class writes the attribute
    private static Deque<String> waiting(SipSession asker) {
        Deque<String> waiting = (Deque<String>) asker.getAttribute(NEWS);
        if (waiting == null) {
            waiting = new ArrayDeque<>();
            asker.setAttribute(NEWS, waiting);
        }
        return waiting;
    }

    private static void send(SipSession asker, String news) throws IOException {
        boolean last = news.charAt(0) == LAST;
        SipServletRequest notify = asker.createRequest("NOTIFY");
        notify.setHeader("Event", (String) asker.getAttribute("event"));
        notify.setHeader(
                "Subscription-State", last ? "terminated;reason=noresource" : "active;expires=180");
        notify.setContent(
                (last ? news.substring(1) : news) + "\r\n", "message/sipfrag;version=2.0");
        notify.send();
    }
}
