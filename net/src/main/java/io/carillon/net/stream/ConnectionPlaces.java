package io.carillon.net.stream;

import io.carillon.sip.guard.Holders;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who has the places of connections, and who gives his up for whom.
 *
 * <p>A sixteenth of all is for accepted connections alone, and as much for ours. Where there is no
 * place left, accepted connections that have <em>proved</em> nothing give way first: those of the
 * source that has most of them, the one on which nothing has moved for longest; then the oldest one
 * that had {@link #PROVE_WITHIN_NANOS} to prove something. Whoever comes is a stranger, and does
 * not push out who has proved to belong here, as a phone that is registered. Of what accepted ones
 * may have, a sixteenth is kept from those that are proved: when more than that prove something,
 * the source with most of them gives one up.
 *
 * <p>Of ours counts who had them opened, whomever they lead to: a stranger chooses where they lead.
 * Those that are still connecting have a quarter: whoever names silent addresses would have one of
 * ours for each, until its time is over. There who had most opened gives up his oldest. Where there
 * is no place left, those give way on which nobody has ever answered: of who had most of them
 * opened the idlest; then the oldest that had {@link #PROVE_WITHIN_NANOS} for an answer. Then, of
 * those that were answered, the idlest of who had most opened.
 *
 * <p>What we open to an address takes nothing of what that address may open.
 *
 * <p>For one thread at a time: the owner has a lock. Bounded by the places.
 *
 * @param <H> a connection, known by its identity
 */
final class ConnectionPlaces<H extends ConnectionPlaces.Held> {
    /** What is asked of a connection. Nothing but {@link #activeNanos} ever changes. */
    interface Held {
        /** Did the peer open it? */
        boolean accepted();

        /** By {@link io.carillon.sip.guard.SourceKey}: the addresses of an IPv6 network are one. */
        long source();

        /** Of a trusted source: it does not count among those that hold most. */
        boolean spared();

        /** Of one of ours: who had it opened, 0 for nobody. */
        long asker();

        /** When it began. */
        long bornNanos();

        /** When something last came or left. */
        long activeNanos();
    }

    /**
     * @param taken has it a place?
     * @param gaveWay who gave his up for it, and has none now
     */
    record Admission<H>(boolean taken, @Nullable H gaveWay) {}

    /** 64*T1 (RFC 3261 17.1.2.2): so long the first request of a peer may take. */
    static final long PROVE_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(32);

    /** A part of all places that one kind of connections leaves to the other. */
    private static final int RESERVED = 16;

    /** A part of all places that those may have which are not connected yet. */
    private static final int CONNECTING = 4;

    private final int max;
    private final int mostOfKind;
    private final int mostProved;
    private final int mostConnecting;

    private final Holders<H> proved = new Holders<>();
    private final Holders<H> unproved = new Holders<>();

    /** Of ours, by who had them opened: those on which a message came. */
    private final Holders<H> answered = new Holders<>();

    /** The other ones of ours. */
    private final Holders<H> unanswered = new Holders<>();

    /** Of the unanswered ones, those that are not connected yet. */
    private final Holders<H> connecting = new Holders<>();

    /** The unanswered ones, the oldest first. */
    private final LinkedHashSet<H> unansweredByAge = new LinkedHashSet<>();

    /** The unproved ones, the oldest first, but for those of trusted sources. */
    private final LinkedHashSet<H> byAge = new LinkedHashSet<>();

    /**
     * @param max places, of accepted and opened ones together
     */
    ConnectionPlaces(int max) {
        this.max = max;
        mostOfKind = max - max / RESERVED;
        mostProved = mostOfKind - max / RESERVED;
        mostConnecting = Math.max(1, max / CONNECTING);
    }

    /**
     * Gives one a place, where there is one or somebody has to give his up for it.
     *
     * @param most accepted ones that its source may have with it
     */
    Admission<H> add(H one, int most) {
        if (one.accepted() && accepted(one) >= most) {
            return new Admission<>(false, null);
        }
        H victim = null;
        if (!one.accepted() && connecting.count() >= mostConnecting) {
            if (connecting.most() <= connecting.of(one.asker()) + 1) {
                return new Admission<>(false, null);
            }
            victim = connecting.ofMost().iterator().next();
            remove(victim);
        }
        int accepted = unproved.count() + proved.count();
        int ours = answered.count() + unanswered.count();
        boolean full = accepted + ours >= max;
        if (full || (one.accepted() ? accepted : ours) >= mostOfKind) {
            victim = victim(one, full);
            if (victim == null) {
                return new Admission<>(false, null);
            }
            remove(victim);
        }
        take(one);
        return new Admission<>(true, victim);
    }

    private int accepted(H one) {
        return unproved.of(one.source()) + proved.of(one.source());
    }

    private void take(H one) {
        if (!one.accepted()) {
            unanswered.add(one.asker(), one, false);
            unansweredByAge.add(one);
            connecting.add(one.asker(), one, false);
            return;
        }
        unproved.add(one.source(), one, one.spared());
        if (!one.spared()) {
            byAge.add(one);
        }
    }

    /** Of equals nobody gives way: they would push each other out in turn. */
    private @Nullable H victim(H one, boolean full) {
        H victim = null;
        if (one.accepted() || full) {
            victim = of(unproved, unproved.of(one.source()), byAge, one);
        }
        if (victim != null || (one.accepted() && !full)) {
            return victim;
        }
        int its = one.accepted() ? accepted(one) : unanswered.of(one.asker());
        victim = of(unanswered, its, unansweredByAge, one);
        if (victim != null) {
            return victim;
        }
        if (!one.accepted()) {
            its += answered.of(one.asker());
        }
        return answered.most() > its + 1 ? idlest(answered.ofMost()) : null;
    }

    /**
     * Who of these gives way.
     *
     * @param its how many has whoever wants another one
     */
    private @Nullable H of(Holders<H> some, int its, Set<H> someByAge, H one) {
        if (some.most() > its + 1) {
            return idlest(some.ofMost());
        }
        H oldest = someByAge.isEmpty() ? null : someByAge.iterator().next();
        return oldest != null && one.bornNanos() - oldest.bornNanos() > PROVE_WITHIN_NANOS
                ? oldest
                : null;
    }

    private H idlest(Set<H> some) {
        H idlest = some.iterator().next();
        for (H one : some) {
            if (one.activeNanos() - idlest.activeNanos() < 0) {
                idlest = one;
            }
        }
        return idlest;
    }

    /**
     * An accepted one has proved something. Where too many have, the source with most of them gives
     * one up; where that is this one, it goes on without.
     */
    Admission<H> prove(H one) {
        long source = one.source();
        H victim = null;
        if (proved.count() >= mostProved) {
            if (proved.most() <= proved.of(source) + 1) {
                return new Admission<>(false, null);
            }
            victim = idlest(proved.ofMost());
            remove(victim);
        }
        unproved.remove(source, one);
        byAge.remove(one);
        proved.add(source, one, one.spared());
        return new Admission<>(true, victim);
    }

    /** One of ours is connected. */
    void connected(H one) {
        connecting.remove(one.asker(), one);
    }

    /** A message came on one of ours, the first one; does nothing where it has no place. */
    void answered(H one) {
        if (unansweredByAge.remove(one)) {
            unanswered.remove(one.asker(), one);
            connecting.remove(one.asker(), one);
            answered.add(one.asker(), one, false);
        }
    }

    /** It is over; does nothing where it had no place. */
    void remove(H one) {
        long source = one.source();
        if (one.accepted()) {
            unproved.remove(source, one);
            proved.remove(source, one);
            byAge.remove(one);
        } else {
            answered.remove(one.asker(), one);
            unanswered.remove(one.asker(), one);
            unansweredByAge.remove(one);
            connecting.remove(one.asker(), one);
        }
    }
}
