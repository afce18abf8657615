package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * RFC 5057: which subscriptions use a dialog, by the requests that begin, refresh and end them. A
 * call is another usage of it. With the turn held.
 */
public final class Usages {
    /**
     * RFC 6665 4.1.2.4, Timer N: a NOTIFY follows what subscribes at once. It says how long the
     * subscription lives.
     */
    private static final long UNTIL_NOTIFY_SECONDS = 32;

    /** RFC 6665 does not say; that of most packages (RFC 3856 6.4: "3600 seconds"). */
    private static final long USUAL_SECONDS = 3_600;

    /** Of a REFER whose NOTIFYs do not say, as of many phones: nobody is called for longer. */
    private static final long REFER_SECONDS = 300;

    /**
     * A dialog is kept for a subscription that was not refreshed for so long: peers name what they
     * like, up to 136 years.
     */
    private static final long MOST_SECONDS = USUAL_SECONDS;

    private static final HeaderName REFER_SUB = HeaderName.of("Refer-Sub");

    private Usages() {}

    /** Does a subscription end with that failure of its SUBSCRIBE or NOTIFY? */
    private static boolean ends(int status) {
        // RFC 6665 4.1.2.3, and 4.2.2 likewise: "If a SUBSCRIBE request to refresh a subscription
        // fails due to "404", "405", "410", "416", "480"-"485", "489", "501", or "604" ... the
        // subscriber MUST consider the subscription terminated."
        return switch (status) {
            case 404, 405, 408, 410, 416, 480, 481, 482, 483, 484, 485, 489, 501, 604 -> true;
            default -> false;
        };
    }

    /**
     * A request got its final response.
     *
     * @param sent by us, or passed on; else received
     */
    public static void answered(
            ServletSession session, SipRequest request, SipResponse response, boolean sent) {
        int status = response.status();
        boolean success = status < 300;
        switch (request.method()) {
            case Methods.NOTIFY -> {
                String state = request.header(HeaderName.SUBSCRIPTION_STATE);
                // RFC 3261 22.2: it is sent again with credentials.
                boolean challenged = status == 401 || status == 407;
                boolean over = ends(status) || (terminated(state) && !challenged);
                if (success || !sent || over) {
                    String event = event(request);
                    long seconds = expires(state, Subscriber.isRefer(event));
                    if (over || !session.dialog().isCall() || session.dialog().knows(event)) {
                        DialogLife.used(session, event, over, seconds);
                    }
                }
            }
            case Methods.SUBSCRIBE -> {
                String given = response.header(HeaderName.EXPIRES);
                long seconds = seconds(given != null ? given : request.header(HeaderName.EXPIRES));
                if (success && seconds > 0) {
                    DialogLife.used(session, event(request), false, seconds);
                } else if (ends(status) && request.toTag() != null) {
                    DialogLife.used(session, event(request), true, 0);
                }
            }
            case Methods.REFER -> {
                if (success && subscribes(request) && subscribes(response)) {
                    // RFC 3515 2.4.6: the id of its event is the CSeq number of the REFER.
                    String refer = Subscriber.refer(request.cseqNumber());
                    DialogLife.used(session, refer, false, UNTIL_NOTIFY_SECONDS);
                }
            }
            default -> {}
        }
    }

    /** RFC 5057: does another usage keep the dialog when the one of that request ends? */
    static boolean shared(ServletSession session, ServletRequest request) {
        String method = request.method();
        String event = method.equals(Methods.SUBSCRIBE) ? request.getHeader("Event") : null;
        return session.dialog().shared(method, Subscriber.usage(event));
    }

    /** RFC 4488 4: "Refer-Sub: false" asks for no subscription, and says that there is none. */
    private static boolean subscribes(SipMessage message) {
        String value = message.header(REFER_SUB);
        return value == null || !value.strip().toLowerCase(Locale.ROOT).startsWith("false");
    }

    private static String event(SipRequest request) {
        return Subscriber.usage(request.header(HeaderName.EVENT));
    }

    /** Does a request of that method begin, refresh or end a subscription? */
    static boolean concern(String method) {
        return switch (method) {
            case Methods.NOTIFY, Methods.SUBSCRIBE, Methods.REFER -> true;
            default -> false;
        };
    }

    static boolean terminated(@Nullable String state) {
        return state != null && state.regionMatches(true, 0, "terminated", 0, 10);
    }

    /** RFC 6665 4.1.3: the parameter of Subscription-State. */
    private static long expires(@Nullable String state, boolean refer) {
        int at = state == null ? -1 : state.toLowerCase(Locale.ROOT).indexOf("expires=");
        if (state == null || at < 0) {
            return refer ? REFER_SECONDS : USUAL_SECONDS;
        }
        return seconds(state.substring(at + 8));
    }

    private static long seconds(@Nullable String text) {
        if (text == null) {
            return USUAL_SECONDS;
        }
        int end = 0;
        String stripped = text.strip();
        while (end < stripped.length() && Character.digit(stripped.charAt(end), 10) >= 0) {
            end++;
        }
        long seconds = Ascii.parseDecimal(stripped.substring(0, end), MOST_SECONDS);
        return seconds < 0 ? USUAL_SECONDS : seconds;
    }
}
