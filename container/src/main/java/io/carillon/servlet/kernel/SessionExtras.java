package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Caller;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/** What few sessions have; made for those. Owner: the turn of the application session. */
final class SessionExtras {
    /** Of one dialog; a further one is not remembered, so it ends with the others. */
    static final int MAX_USAGES = 16;

    private static final String REFER = "refer";

    @Nullable InetSocketAddress outbound;

    /** With {@link #outbound}, where the application chose the transport too. */
    @Nullable Transport outboundTransport;

    /** Who has proved to be the caller of the dialog. */
    @Nullable Caller caller;

    @Nullable AnsweredChallenges challenges;

    @Nullable RefreshTimer timer;

    /** Subscriptions that use the dialog; immutable. */
    List<String> usages = List.of();

    /** Which session the Join or Replaces that began this one names, by its number; or -1. */
    int corresponds = -1;

    @Nullable SipTargetedRequestType correspondsBy;

    /** Until when the last of them lives, by what was said of it; wall clock. */
    long usedUntilMillis;

    /** A BYE has ended the call; the subscriptions keep its dialog. */
    boolean hungUp;

    /**
     * RFC 5057: another subscription uses the dialog.
     *
     * @param usage tells subscriptions apart
     * @param untilMillis when it ends, unless it is refreshed; wall clock
     */
    void use(String usage, long untilMillis) {
        usedUntilMillis = Math.max(usedUntilMillis, untilMillis);
        if (at(usage) < 0 && usages.size() < MAX_USAGES) {
            List<String> more = new ArrayList<>(usages);
            more.add(usage);
            usages = List.copyOf(more);
        }
    }

    /** It does so no longer. */
    void leave(String usage) {
        int at = at(usage);
        if (at >= 0) {
            List<String> left = new ArrayList<>(usages);
            left.remove(at);
            usages = List.copyOf(left);
        }
    }

    /**
     * Where it stands. RFC 3515 2.4.6: NOTIFYs for the first REFER of a dialog may leave out the
     * id.
     */
    int at(String usage) {
        int exact = usages.indexOf(usage);
        for (int i = 0; exact < 0 && usage.equals(REFER) && i < usages.size(); i++) {
            exact = usages.get(i).startsWith(REFER + ";") ? i : exact;
        }
        return exact;
    }

    /** Does the Join or Replaces that began this one's session name the session of that number? */
    boolean names(int ordinal, SipTargetedRequestType by) {
        return correspondsBy == by && corresponds == ordinal;
    }
}
