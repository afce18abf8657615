package io.carillon.server.measure;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the running server does: one value for {@code carillon status}, its {@code --json} form and
 * the metrics. Counts are since the start.
 *
 * @param version of Carillon
 * @param pid of the process
 * @param state running, draining or stopping
 * @param uptimeSeconds since the start of the process
 * @param sip where SIP is listened for
 * @param http where HTTP is listened for
 * @param pages where applications are served over HTTP
 * @param applications deployed ones
 * @param calls see {@link Calls}
 * @param messages see {@link Messages}
 * @param transactions in all shards, lingering ones too
 * @param applicationSessions now
 * @param connections see {@link Connections}
 * @param kernelDrops datagrams that the kernel dropped because our receive buffers were full
 * @param gcPauses see {@link Pauses}
 * @param heap see {@link Heap}
 * @param slowHandlers handlers that run for too long, now
 * @param counters everything else that is counted, by name
 * @param tls see {@link Tls}; null while nothing needed TLS
 * @param databaseFailure why the database is of no use now; null while all is well
 * @param overload see {@link Overload}
 * @param raised of whom more is logged for a while
 * @param handlersApart why handlers run on threads of their own, which costs more; empty where they
 *     run on the event loops
 */
public record ServerStatus(
        String version,
        long pid,
        String state,
        double uptimeSeconds,
        List<String> sip,
        String http,
        List<String> pages,
        List<String> applications,
        Calls calls,
        Messages messages,
        long transactions,
        long applicationSessions,
        Connections connections,
        long kernelDrops,
        Pauses gcPauses,
        Heap heap,
        List<SlowHandler> slowHandlers,
        Map<String, Long> counters,
        @Nullable Tls tls,
        @Nullable String databaseFailure,
        Overload overload,
        List<RaisedLog> raised,
        String handlersApart) {

    /** What a server of an earlier version does not say, is empty. */
    public ServerStatus {
        raised = raised == null ? List.of() : raised;
        handlersApart = handlersApart == null ? "" : handlersApart;
    }

    /**
     * A call or a user of whom more is logged.
     *
     * @param number by which it is ended
     * @param what the call or the user
     * @param level of the log
     * @param secondsLeft until it ends by itself
     * @param who switched it on
     */
    public record RaisedLog(int number, String what, String level, long secondsLeft, String who) {}

    /**
     * How loaded the server is, and what new work it refuses for that (docs/guides/overload.md).
     *
     * @param shedding does the server refuse new work now
     * @param shedPerSecond requests refused or dropped, in the last second
     * @param delayMillis the queueing delay: how long messages wait where they wait longest
     * @param load 0 to 100
     * @param since when it began, as in {@code 2026-01-31T12:00:00Z}; empty while it does not
     * @param because why, as in {@code handlers of b2bua wait}; empty while it does not
     * @param late applications whose new calls are refused, whatever the others do
     */
    public record Overload(
            boolean shedding,
            double shedPerSecond,
            double delayMillis,
            int load,
            String since,
            String because,
            List<LateApplication> late) {
        /** Nothing waits. */
        public static final Overload NONE = new Overload(false, 0, 0, 0, "", "", List.of());
    }

    /**
     * An application that does not keep up.
     *
     * @param application its name
     * @param shedPerSecond requests refused, in the last second
     * @param delayMillis how long its handlers take for new calls
     * @param since when it began, as in {@code 2026-01-31T12:00:00Z}
     */
    public record LateApplication(
            String application, double shedPerSecond, double delayMillis, String since) {}

    /**
     * TLS.
     *
     * @param provider who does the cryptography
     * @param certificates ours
     * @param loaded when the files were read, as in {@code 2026-01-31T12:00:00Z}
     * @param reloads times they were read anew
     * @param reloadFailures times new files were no good, and the old ones stayed in use
     * @param lastFailure what is wrong with the newest files; empty when they are in use
     */
    public record Tls(
            String provider,
            List<TlsCertificate> certificates,
            String loaded,
            long reloads,
            long reloadFailures,
            String lastFailure) {}

    /**
     * One certificate of ours.
     *
     * @param names server names for which it is shown
     * @param subject whose it is
     * @param issuer who made it
     * @param key kind and bits of its key
     * @param notBefore begin of its validity
     * @param notAfter end of its validity
     * @param secondsLeft until then; negative when it is expired
     * @param file where it was read from
     * @param standard is it shown to clients that name no server or an unknown one
     * @param listeners where it is shown
     */
    public record TlsCertificate(
            List<String> names,
            String subject,
            String issuer,
            String key,
            String notBefore,
            String notAfter,
            long secondsLeft,
            String file,
            boolean standard,
            List<String> listeners) {

        /** Whole days until it expires. */
        public long daysLeft() {
            return Math.floorDiv(secondsLeft, 86_400);
        }
    }

    /**
     * Calls.
     *
     * @param held now
     * @param byState SIP sessions now, by the state of their call
     * @param started since the start
     * @param perSecond started, over the last seconds
     */
    public record Calls(long held, Map<String, Long> byState, long started, double perSecond) {}

    /**
     * SIP messages.
     *
     * @param requestsIn received
     * @param requestsOut sent
     * @param responsesIn received
     * @param responsesOut sent
     * @param retransmissionsSeen repeated by others
     * @param retransmissionsSent repeated by us
     * @param malformed answered 400 or the like
     * @param dropped without an answer
     */
    public record Messages(
            long requestsIn,
            long requestsOut,
            long responsesIn,
            long responsesOut,
            long retransmissionsSeen,
            long retransmissionsSent,
            long malformed,
            long dropped) {}

    /**
     * Connections of streams.
     *
     * @param open now
     * @param closedByLimit by a limit of the configuration
     */
    public record Connections(long open, long closedByLimit) {}

    /**
     * Pauses of the garbage collector.
     *
     * @param count how many
     * @param maxMillis the longest
     * @param p99Millis 99 of 100 were at most as long
     */
    public record Pauses(long count, double maxMillis, double p99Millis) {}

    /**
     * The Java heap.
     *
     * @param usedBytes garbage included
     * @param committedBytes taken from the system
     * @param touchedBytes most that was in use at once: the system need not find that any more
     * @param softMaxBytes the collector tries to stay below; it is touched in the background after
     *     the start. 0 where there is none
     * @param maxBytes may be taken
     */
    public record Heap(
            long usedBytes,
            long committedBytes,
            long touchedBytes,
            long softMaxBytes,
            long maxBytes) {}

    /**
     * A handler that runs for long.
     *
     * @param application its application
     * @param servlet its servlet
     * @param method of the request, or the event
     * @param callId of its call
     * @param seconds so far
     * @param holdsThread true while it computes, false while it waits
     * @param at the line of the application's code at which it is; empty where that is not known
     * @param deadlock for whom it waits, who waits for it: neither goes on; empty for nobody
     */
    public record SlowHandler(
            String application,
            String servlet,
            String method,
            String callId,
            double seconds,
            boolean holdsThread,
            String at,
            String deadlock) {
        /** What a server of an earlier version does not say, is empty. */
        public SlowHandler {
            at = at == null ? "" : at;
            deadlock = deadlock == null ? "" : deadlock;
        }
    }
}
