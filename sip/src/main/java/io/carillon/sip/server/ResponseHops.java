package io.carillon.sip.server;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a response goes when the connection of its request is gone and the client's address cannot
 * be reached: RFC 3263 section 5. One per response that needs it.
 *
 * <p>Owner: the shard's thread.
 */
final class ResponseHops {
    private final List<Hop> hops;
    private int untried;

    private ResponseHops(List<Hop> hops) {
        this.hops = hops;
    }

    /** The next place to try; null when there is none. */
    @Nullable Hop next() {
        return untried < hops.size() ? hops.get(untried++) : null;
    }

    /**
     * Looks up the sent-by of a response's top Via, where that is a name. An address in digits is
     * not followed: it is the one that failed already, or one that only a stranger says is his.
     *
     * @param response as it was to be sent, or its bytes
     * @param budget of the request that is answered
     * @param found gets the hops, maybe none; maybe before this returns
     */
    static void find(
            ShardCore core,
            @Nullable Object response,
            Hop failed,
            LookupBudget budget,
            Consumer<ResponseHops> found) {
        Via top = topVia(core, response);
        // RFC 7118 5.3: "SIP responses can only be sent over the existing WebSocket connection".
        if (top == null
                || !core.config().failover().responses()
                || failed.transport().webSocket()
                || !isName(top.host())) {
            found.accept(new ResponseHops(List.of()));
            return;
        }
        // "If, however, the sent-by field contained a domain name and a port number, the server
        // queries for A or AAAA records [...] a domain name and no port, the server queries for SRV
        // records": just what is done for a URI of that host and transport.
        SipUri uri =
                SipUri.builder()
                        .host(top.host())
                        .port(top.port())
                        .param("transport", failed.transport().name().toLowerCase(Locale.ROOT))
                        .build();
        core.wire()
                .resolve(
                        uri,
                        failed.transport(),
                        budget,
                        hops ->
                                core.events()
                                        .event(() -> {
                                            List<Hop> others = new ArrayList<>();
                                            for (Hop hop : hops) {
                                                if (hop.transport() == failed.transport()
                                                        && !hop.remote().equals(failed.remote())) {
                                                    others.add(hop.from(failed.local()));
                                                }
                                            }
                                            found.accept(new ResponseHops(others));
                                        }));
    }

    private static @Nullable Via topVia(ShardCore core, @Nullable Object response) {
        SipMessage message =
                switch (response) {
                    case SipMessage whole -> whole;
                    case byte[] bytes -> core.ownMessages().parse(bytes);
                    case null, default -> null;
                };
        return message instanceof SipResponse answer ? answer.topVia() : null;
    }

    /** RFC 3261 25.1: a host name's last label begins with a letter. */
    private static boolean isName(String host) {
        int end = host.endsWith(".") ? host.length() - 1 : host.length();
        int label = host.lastIndexOf('.', end - 1) + 1;
        return label < end
                && host.indexOf(':') < 0
                && Character.isLetter(host.charAt(label))
                && !ViaRules.nowhere(host);
    }
}
