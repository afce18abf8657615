package io.carillon.sip.dialog;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.header.SessionExpires.Refresher;
import io.carillon.sip.message.SipMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one message says of session timers (RFC 4028), and the rules on what may be answered or sent
 * on. Immutable; any thread.
 *
 * @param asked Session-Expires; null without
 * @param minSeconds Min-SE, or 90 without
 * @param supported does the sender know session timers?
 */
public record SessionInterval(@Nullable SessionExpires asked, int minSeconds, boolean supported) {
    /** The option tag. */
    public static final String TIMER = "timer";

    /**
     * @throws SipParseException when Session-Expires or Min-SE cannot be read
     */
    public static SessionInterval of(SipMessage message) throws SipParseException {
        String expires = message.header(HeaderName.SESSION_EXPIRES);
        String minimum = message.header(HeaderName.MIN_SE);
        int least = SessionExpires.LEAST_SECONDS;
        return new SessionInterval(
                expires == null ? null : SessionExpires.parse(expires),
                // Section 5: the default when it is absent; what is lower cannot be meant.
                minimum == null ? least : Math.max(least, SessionExpires.parseMinSe(minimum)),
                lists(message.headers(HeaderName.SUPPORTED)));
    }

    /** Is the option tag one of these? */
    public static boolean lists(List<String> tags) {
        for (int i = 0; i < tags.size(); i++) {
            if (Ascii.equalsIgnoreCase(tags.get(i), TIMER)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sections 8.1 and 9: "If an incoming request contains a Supported header field with a value
     * 'timer' and a Session Expires header field, the UAS MAY reject the INVITE request with a 422
     * (Session Interval Too Small) response if the session interval ... is smaller than the minimum
     * interval defined by the UAS' local policy."
     */
    public boolean tooSmall(int leastSeconds) {
        return supported && asked != null && asked.seconds() < leastSeconds;
    }

    /**
     * Section 9: what the 2xx to this request says.
     *
     * @param longest seconds that are accepted, or offered where the peer asks for none
     * @param offers do we ask for a timer where the peer only supports them?
     * @param preferred who refreshes where the peer leaves it open
     * @return null for a session without timer
     */
    public @Nullable SessionExpires answer(int longest, boolean offers, Refresher preferred) {
        SessionExpires wish = asked;
        if (wish == null) {
            // "The value MUST NOT be set to a duration lower than the value in the Min-SE".
            return offers && supported
                    ? new SessionExpires(Math.max(longest, minSeconds), open(preferred))
                    : null;
        }
        if (wish.seconds() < SessionExpires.LEAST_SECONDS) {
            return null; // it cannot be accepted, nor rejected: it came without the option tag
        }
        // "The UAS response MAY reduce its value but MUST NOT set it to a duration lower than the
        // value in the Min-SE header field". "The UAS MUST NOT increase the value".
        int seconds = Math.min(wish.seconds(), Math.max(longest, minSeconds));
        // Table 2.
        Refresher who =
                !supported
                        ? Refresher.UAS
                        : wish.refresher() == Refresher.NONE ? open(preferred) : wish.refresher();
        return new SessionExpires(seconds, who);
    }

    private static Refresher open(Refresher preferred) {
        return preferred == Refresher.NONE ? Refresher.UAC : preferred;
    }

    /**
     * Section 8.1: what a proxy that wants timers sends on in place of this.
     *
     * @param longest seconds that it wants at most
     * @param least seconds that it wants at least
     */
    public Forwarded forward(int longest, int least) {
        SessionExpires wish = asked;
        int minimum = minSeconds;
        int minimumToWrite = -1;
        if (!supported && wish != null && wish.seconds() < least && minimum < least) {
            // "If the request doesn't indicate support for the session timer but contains a session
            // interval that is too small, ... the proxy SHOULD insert a Min-SE header field".
            minimum = least;
            minimumToWrite = least;
        }
        if (wish == null) {
            return new Forwarded(
                    new SessionExpires(Math.max(longest, minimum), Refresher.NONE), minimumToWrite);
        }
        int seconds = wish.seconds();
        if (seconds < minimum) {
            // "the proxy MUST increase the value of the Session-Expires header field to make it
            // equal to Min-SE". Where the request has the option tag it was refused before.
            seconds = minimum;
        } else if (seconds > longest) {
            // "the proxy MAY reduce its value but MUST NOT set it to a duration lower than the
            // value in the Min-SE".
            seconds = Math.max(longest, minimum);
        }
        return new Forwarded(new SessionExpires(seconds, wish.refresher()), minimumToWrite);
    }

    /**
     * What leaves a proxy.
     *
     * @param expires Session-Expires; its refresher is as it came
     * @param minSeconds Min-SE to write; -1: leave it as it is
     */
    public record Forwarded(SessionExpires expires, int minSeconds) {}

    /**
     * Section 10: how long after the last refresh the side that waits for one gives up: "slightly
     * before the session expiration. The minimum of 32 seconds and one third of the session
     * interval is RECOMMENDED."
     */
    public static int giveUpSeconds(int interval) {
        return interval - Math.min(32, interval / 3);
    }
}
