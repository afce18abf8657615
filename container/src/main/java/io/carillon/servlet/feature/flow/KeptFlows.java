package io.carillon.servlet.feature.flow;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.RequestAttempt;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keep-alives of registrations of ours (RFC 5626 section 4.4, RFC 6223): for a REGISTER with the
 * attribute {@value #ASKED} the Via asks for them, and after a 2xx that allows them the flow is
 * asked again and again whether it is whole. When it is not, the session gets the attribute {@value
 * #FAILED}, of which a SipSessionAttributeListener hears; the next 2xx takes it away.
 *
 * <p>Called with the turn of the session held; each flow itself belongs to a shard.
 */
public final class KeptFlows {
    /** Attribute of a REGISTER. */
    public static final String ASKED = "io.carillon.keep-alive";

    /** Attribute of the session. */
    public static final String FAILED = "io.carillon.flow.failed";

    // RFC 5626 4.4.1 and 4.4.2, in seconds.
    private static final int STREAM_SECONDS = 120;
    private static final int DATAGRAM_SECONDS = 29;
    private static final int MOST_SECONDS = 86_400;

    private final RandomGenerator random;
    private final Map<ServletSession, KeptFlow> flows = new ConcurrentHashMap<>();

    public KeptFlows(RandomGenerator random) {
        this.random = random;
    }

    /** Does the application want the flow of this request kept alive? */
    public static boolean asked(ServletRequest request) {
        return request.getMethod().equals(Methods.REGISTER) && request.getAttribute(ASKED) != null;
    }

    /** Flows that are kept alive now. */
    public int size() {
        return flows.size();
    }

    /** A REGISTER of ours has its final response. */
    public void answered(
            ServletSession session,
            ServletRequest request,
            SipResponse response,
            @Nullable RequestAttempt attempt) {
        if (response.status() >= 300) {
            return; // a challenge; or the registration of before goes on until it expires
        }
        KeptFlow before = flows.remove(session);
        if (before != null) {
            before.stop();
        }
        Hop flow = attempt == null ? null : attempt.hop();
        int seconds = flow == null || !asked(request) ? 0 : seconds(response, flow.transport());
        if (attempt == null || flow == null || flow.internal() || seconds == 0) {
            return;
        }
        session.removeAttribute(FAILED);
        KeptFlow kept =
                new KeptFlow(
                        this,
                        session,
                        attempt.shard(),
                        flow,
                        TimeUnit.SECONDS.toNanos(seconds),
                        random);
        flows.put(session, kept);
        kept.begin();
    }

    void forget(KeptFlow gone, ServletSession session) {
        flows.remove(session, gone);
    }

    /**
     * The longest time between two keep-alives; 0 when the other side has not said that it answers
     * them. RFC 5626 8: "A SIP node MUST NOT send STUN requests over a flow unless it has an
     * explicit indication".
     */
    private static int seconds(SipResponse response, Transport transport) {
        Via top = response.topVia();
        String keep = top.param("keep");
        int wanted = keep == null ? 0 : number(keep);
        if (wanted > 0) {
            return wanted; // RFC 6223 4.3
        }
        int timer = number(response.header(HeaderName.of("Flow-Timer")));
        if (timer > 0) {
            return timer;
        }
        boolean outbound = false;
        for (String tag : response.headers(HeaderName.REQUIRE)) {
            outbound |= tag.equalsIgnoreCase("outbound");
        }
        if (!outbound && keep == null) {
            return 0;
        }
        return transport.reliable() ? STREAM_SECONDS : DATAGRAM_SECONDS;
    }

    private static int number(@Nullable String text) {
        return text == null ? 0 : (int) Math.max(0, Ascii.parseDecimal(text.trim(), MOST_SECONDS));
    }
}
