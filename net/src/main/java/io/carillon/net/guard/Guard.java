package io.carillon.net.guard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is listened to. The I/O loops ask before a datagram is copied, a connection taken or a
 * message of a stream parsed; the stack tells who failed. Memory is fixed, whatever is sent.
 *
 * <p>Any thread. The questions of the I/O loops take no lock and make no object.
 */
public final class Guard implements PeerConduct {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    /** A scanner's own name says as much as so many failures of somebody unknown. */
    private static final int SCANNER_WEIGHT = 10;

    /**
     * While new work is shed, so many messages count as one: those who are refused, or get their
     * answer late, repeat what they sent, and call again. A source that sends no more than it may
     * would lose its calls by that. The shard that knows what was decided about has the rest of a
     * message counted that is no repeat and begins something ({@link #newWork}).
     */
    static final int MESSAGES_WHILE_SHED = 4;

    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier random;
    private final Proofs proofs;
    private volatile GuardRules rules;

    private final LimitedLog overRate = new LimitedLog(LOG_PAUSE_NANOS);
    private final LimitedLog refused = new LimitedLog(LOG_PAUSE_NANOS);

    /**
     * @param random unpredictable numbers
     * @param startNanos the time now
     */
    public Guard(GuardConfig config, LongSupplier random, long startNanos) {
        this.random = random;
        this.proofs = new Proofs(random, startNanos);
        this.rules = GuardRules.first(config, proofs, random, startNanos);
    }

    /** What it goes by now. */
    public GuardConfig config() {
        return rules.config();
    }

    /**
     * From now on goes by another configuration. Rates that are another begin anew; bans stay,
     * unless the rule for bans is another.
     */
    public void change(GuardConfig config, long nowNanos) {
        rules = rules.changed(config, proofs, random, nowNanos);
    }

    // Asked by the I/O loops

    /** May a datagram of this source be read? Counts in the loop's tally when not. */
    public boolean admitsDatagram(long source, long nowNanos, LoopCounts tally) {
        return admitsDatagram(source, nowNanos, tally, false);
    }

    /**
     * As the other.
     *
     * @param sheds whether new work is shed, see {@link #MESSAGES_WHILE_SHED}
     */
    public boolean admitsDatagram(long source, long nowNanos, LoopCounts tally, boolean sheds) {
        Bans banned = rules.bans();
        if (banned != null && banned.any() && banned.stops(source, nowNanos, Bans.DATAGRAM)) {
            tally.count(NetworkCounter.DATAGRAMS_BANNED);
            return false;
        }
        SourceRates rates = rules.datagrams();
        if (rates == null
                || rates.takePart(source, nowNanos, sheds ? MESSAGES_WHILE_SHED : 1)
                || rules.trusted().containsSource(source)) {
            return true;
        }
        tally.count(NetworkCounter.DATAGRAMS_OVER_RATE);
        overRate(source, nowNanos, "datagrams");
        return false;
    }

    /**
     * May a message that came on a connection of this source be read? Why not, or null.
     *
     * @param proved whether the connection has shown that it belongs here
     */
    public @Nullable SourceRefusal refusal(long source, boolean proved, long nowNanos) {
        return refusal(source, proved, nowNanos, false);
    }

    /**
     * As the other.
     *
     * @param sheds whether new work is shed, see {@link #MESSAGES_WHILE_SHED}
     */
    public @Nullable SourceRefusal refusal(
            long source, boolean proved, long nowNanos, boolean sheds) {
        Bans banned = rules.bans();
        if (banned != null
                && banned.any()
                && banned.stops(source, nowNanos, proved ? Bans.PROVED : Bans.CONNECTION)) {
            return SourceRefusal.BANNED;
        }
        SourceRates rates = rules.streams();
        if (rates == null
                || rates.takePart(source, nowNanos, sheds ? MESSAGES_WHILE_SHED : 1)
                || rules.trusted().containsSource(source)) {
            return null;
        }
        overRate(source, nowNanos, "messages on connections");
        return SourceRefusal.TOO_FAST;
    }

    private void overRate(long source, long nowNanos, String what) {
        long silent = overRate.admit(nowNanos);
        if (silent >= 0) {
            LOG.warn(
                    "{} sends or opens more {} than one source may; the rest is dropped, or"
                            + " waits on a connection that we opened ({} more since the last such line)",
                    SourceKey.text(source),
                    what,
                    silent);
        }
    }

    /**
     * May a connection of this address be taken? Why not, or null. A handshake of TLS costs us more
     * than whoever begins it, so how many begin is limited beside how many there are.
     */
    public @Nullable SourceRefusal connectionRefusal(InetAddress from, long nowNanos) {
        long source = SourceKey.of(from);
        Bans banned = rules.bans();
        if (banned != null && banned.any() && banned.stops(source, nowNanos, Bans.CONNECTION)) {
            return SourceRefusal.BANNED;
        }
        SourceRates rates = rules.connections();
        if (rates == null
                || rates.take(source, nowNanos)
                || rules.trusted().containsSource(source)) {
            return null;
        }
        overRate(source, nowNanos, "connections");
        return SourceRefusal.TOO_FAST;
    }

    /** Is a source neither limited nor banned? */
    public boolean trusts(long source) {
        return rules.trusted().containsSource(source);
    }

    /** Connections that this address may have open; {@link Integer#MAX_VALUE} for no limit. */
    public int connectionsOf(InetAddress from) {
        int limit = rules.config().connectionsPerAddress();
        return limit == 0 || rules.trusted().containsSource(SourceKey.of(from))
                ? Integer.MAX_VALUE
                : limit;
    }

    /** A connection was refused because there are too many. */
    public void connectionRefused(InetAddress from, long nowNanos) {
        long silent = refused.admit(nowNanos);
        if (silent >= 0) {
            LOG.warn(
                    "A connection from {} is refused: too many from there, or in all"
                            + " ({} more since the last such line)",
                    from.getHostAddress(),
                    silent);
        }
    }

    /** A connection was closed for others, as its source holds most. */
    public void connectionGivenUp(InetAddress from, long nowNanos) {
        long silent = refused.admit(nowNanos);
        if (silent >= 0) {
            LOG.warn(
                    "A connection from {} is closed for another one: there are too many in all, and"
                            + " most are from there ({} more since the last such line)",
                    from.getHostAddress(),
                    silent);
        }
    }

    // Told by the stack

    @Override
    public void newWork(Hop from, long nowNanos) {
        SourceRates rates = from.transport() == Transport.UDP ? rules.datagrams() : rules.streams();
        if (rates != null && !from.internal()) {
            rates.takeRest(SourceKey.of(from.remote().getAddress()), nowNanos, MESSAGES_WHILE_SHED);
        }
    }

    @Override
    public boolean admits(SipRequest initial, Hop from, long nowNanos) {
        if (rules.scanners().isEmpty()) {
            return true;
        }
        String agent = initial.header(HeaderName.USER_AGENT);
        if (agent == null || !isScanner(agent)) {
            return true;
        }
        PeerConduct.failed(this, Failure.SCANNER, initial, from, nowNanos);
        return false;
    }

    private boolean isScanner(String agent) {
        for (String scanner : rules.scanners()) {
            if (agent.regionMatches(true, 0, scanner, 0, scanner.length())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void failed(Failure how, Hop from, boolean proven, long nowNanos) {
        Bans banned = rules.bans();
        if (banned == null || from.internal()) {
            return;
        }
        long source = SourceKey.of(from.remote().getAddress());
        if (rules.trusted().containsSource(source)) {
            return;
        }
        if (how == Failure.WRONG_CREDENTIALS
                && from.transport().webSocket()
                && proofs.userAt(source, nowNanos)) {
            // A page of any site has a browser behind the same address try what it likes.
            rules.ofBrowsers().failed(source, nowNanos);
            return;
        }
        int weight = how == Failure.SCANNER ? SCANNER_WEIGHT : 1;
        banned.failed(source, how, weight, proven, nowNanos);
    }

    @Override
    public void proven(Hop from, long nowNanos) {
        if (rules.bans() != null && !from.internal()) {
            proofs.answers(from, nowNanos);
        }
    }

    @Override
    public void provenUser(Hop from, long nowNanos) {
        if (rules.bans() != null && !from.internal()) {
            proofs.answers(from, nowNanos);
            proofs.user(from, nowNanos);
        }
    }

    @Override
    public boolean provenLately(Hop peer, long nowNanos) {
        return rules.bans() != null && !peer.internal() && proofs.answersAt(peer, nowNanos);
    }

    @Override
    public boolean holdsCredentials(Hop from, long nowNanos) {
        return rules.bans() != null
                && from.transport().webSocket()
                && rules.ofBrowsers().holds(SourceKey.of(from.remote().getAddress()), nowNanos);
    }

    @Override
    public boolean trusts(Hop from) {
        return rules.trusted().containsSource(SourceKey.of(from.remote().getAddress()));
    }

    // For the operator

    /** Who is banned now, or whose credentials are not looked at, the longest first. */
    public List<Ban> banned(long nowNanos) {
        if (rules.bans() == null) {
            return List.of();
        }
        List<Ban> all = new ArrayList<>(rules.bans().list(nowNanos));
        all.addAll(rules.ofBrowsers().list(nowNanos));
        all.sort(Comparator.comparingLong(Ban::secondsLeft).reversed());
        return all;
    }

    /**
     * Lifts the ban of an address, and forgets what it did before.
     *
     * @return whether it was banned
     */
    public boolean lift(InetAddress address, long nowNanos) {
        long source = SourceKey.of(address);
        boolean held = rules.ofBrowsers().lift(source, nowNanos);
        return (rules.bans() != null && rules.bans().lift(source, nowNanos)) || held;
    }

    /** Lifts all bans; how many there were. */
    public int liftAll(long nowNanos) {
        return rules.bans() == null
                ? 0
                : rules.bans().liftAll(nowNanos) + rules.ofBrowsers().liftAll(nowNanos);
    }

    /** Bans made since the start. */
    public long bansMade() {
        return rules.bans() == null ? 0 : rules.bans().made();
    }
}
