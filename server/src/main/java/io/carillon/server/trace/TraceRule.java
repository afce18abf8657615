package io.carillon.server.trace;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One trace that was switched on: which calls it takes up, and when it ends. Any thread.
 *
 * <p>It is asked about a message only as long as the message's Call-ID is not traced; a rule by
 * user looks at requests that begin something, the others at any message.
 */
final class TraceRule {
    /** Which calls. */
    sealed interface Choice {
        boolean takes(String callId, SipMessage message, Hop hop);

        String text();
    }

    /** Everything. */
    record All() implements Choice {
        @Override
        public boolean takes(String callId, SipMessage message, Hop hop) {
            return true;
        }

        @Override
        public String text() {
            return "all calls";
        }
    }

    /** A share of all calls, chosen by their Call-IDs. */
    record Share(double percent) implements Choice {
        private static final int MILLION = 1_000_000;

        @Override
        public boolean takes(String callId, SipMessage message, Hop hop) {
            int mixed = callId.hashCode() * 0x9E3779B9;
            mixed ^= mixed >>> 15;
            return Integer.remainderUnsigned(mixed * 0x85EBCA6B, MILLION)
                    < percent * (MILLION / 100);
        }

        @Override
        public String text() {
            String number =
                    percent == Math.rint(percent)
                            ? Long.toString((long) percent)
                            : Double.toString(percent);
            return number + " % of all calls";
        }
    }

    /** The call with this Call-ID. */
    record ByCallId(String wanted) implements Choice {
        @Override
        public boolean takes(String callId, SipMessage message, Hop hop) {
            return wanted.equals(callId);
        }

        @Override
        public String text() {
            return "Call-ID " + wanted;
        }
    }

    /**
     * What comes from or goes to this address.
     *
     * @param port 0: any
     */
    record ByPeer(InetAddress address, int port) implements Choice {
        @Override
        public boolean takes(String callId, SipMessage message, Hop hop) {
            return !hop.internal()
                    && address.equals(hop.remote().getAddress())
                    && (port == 0 || port == hop.remote().getPort());
        }

        @Override
        public String text() {
            String literal = address.getHostAddress();
            if (port == 0) {
                return "peer " + literal;
            }
            return "peer "
                    + (literal.indexOf(':') >= 0 ? "[" + literal + "]" : literal)
                    + ":"
                    + port;
        }
    }

    /**
     * Calls from or to this user.
     *
     * @param host null: any
     */
    record ByUser(String user, @Nullable String host) implements Choice {
        @Override
        public boolean takes(String callId, SipMessage message, Hop hop) {
            if (!(message instanceof SipRequest request)
                    || request.toTag() != null
                    || request.is(Methods.ACK)
                    || request.is(Methods.CANCEL)) {
                return false;
            }
            return is(request.from()) || is(request.to()) || is(request.requestUri());
        }

        boolean is(NameAddress party) {
            return is(party.uri());
        }

        boolean is(Uri uri) {
            return switch (uri) {
                case SipUri sip ->
                        user.equals(sip.user())
                                && (host == null || host.equalsIgnoreCase(sip.host()));
                case TelUri tel -> host == null && user.equals(tel.number());
                default -> false;
            };
        }

        @Override
        public String text() {
            return "user " + user + (host == null ? "" : "@" + host);
        }
    }

    final int number;
    final Choice choice;

    /** By the clock of the shards; {@link Long#MAX_VALUE}: never. */
    final long deadlineNanos;

    final int mostCalls;
    final String who;

    /** Does it record, or serve a collector only? */
    final boolean records;

    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean ended;

    TraceRule(
            int number,
            Choice choice,
            long deadlineNanos,
            int mostCalls,
            String who,
            boolean records) {
        this.number = number;
        this.choice = choice;
        this.deadlineNanos = deadlineNanos;
        this.mostCalls = mostCalls;
        this.who = who;
        this.records = records;
    }

    /** May it take up another call? Then it is counted. */
    boolean takeOneMore() {
        int before = calls.get();
        while (before < mostCalls) {
            if (calls.compareAndSet(before, before + 1)) {
                return true;
            }
            before = calls.get();
        }
        return false;
    }

    boolean full() {
        return calls.get() >= mostCalls;
    }

    int calls() {
        return calls.get();
    }

    boolean over(long nowNanos) {
        return ended || (deadlineNanos != Long.MAX_VALUE && nowNanos - deadlineNanos >= 0);
    }

    void end() {
        ended = true;
    }
}
