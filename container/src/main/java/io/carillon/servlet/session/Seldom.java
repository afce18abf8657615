package io.carillon.servlet.session;

import io.carillon.servlet.refresh.SessionTimer;
import io.carillon.servlet.security.SessionSecurity;
import io.carillon.sip.stack.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/** What few sessions have; made for those. Owner: the turn of the application session. */
final class Seldom {
    static final int MAX_USAGES = 100;

    @Nullable InetSocketAddress outbound;

    /** With {@link #outbound}, where the application chose the transport too. */
    @Nullable Transport outboundTransport;

    @Nullable SessionSecurity security;

    @Nullable SessionTimer timer;

    /** Subscriptions that use the dialog; immutable. */
    List<String> usages = List.of();

    /** Which session the Join or Replaces that began this one names, by its number; or -1. */
    int corresponds = -1;

    @Nullable SipTargetedRequestType correspondsBy;

    /**
     * RFC 5057: another subscription uses the dialog.
     *
     * @param usage tells subscriptions apart
     */
    void use(String usage) {
        if (!usages.contains(usage) && usages.size() < MAX_USAGES) {
            List<String> more = new ArrayList<>(usages);
            more.add(usage);
            usages = List.copyOf(more);
        }
    }

    /** It does so no longer. */
    void leave(String usage) {
        if (usages.contains(usage)) {
            List<String> left = new ArrayList<>(usages);
            left.remove(usage);
            usages = List.copyOf(left);
        }
    }

    /** Does the Join or Replaces that began this one's session name the session of that number? */
    boolean names(int ordinal, SipTargetedRequestType by) {
        return correspondsBy == by && corresponds == ordinal;
    }
}
