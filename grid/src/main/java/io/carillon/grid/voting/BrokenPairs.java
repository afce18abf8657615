package io.carillon.grid.voting;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two members that do not hear each other while the oldest member hears both. The oldest alone
 * makes views (JGroups), and it suspects nobody: without this both stay for as long as the wire is
 * cut, and neither gets its copies to the other. So a member tells the oldest, four times a second,
 * whom it does not hear; the oldest asks that one whether it lives. When it does, and is named
 * still when it must have been heard, one of the two is left out: the witness, else the younger.
 *
 * <p>Of who has died nothing comes of it: he does not answer, and the oldest suspects him itself.
 * Who does not hear the oldest either names nobody: it is probably itself who is away.
 *
 * <p>Any thread. Bounded by the members of the view, squared.
 */
final class BrokenPairs {
    private static final Logger LOG = LoggerFactory.getLogger(BrokenPairs.class);

    /** Who lives was heard by all within this time: some beats, and JGroups' own. */
    private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    /** Not named for so long a pair is whole. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Link link;
    private final int witness;
    private final LongSupplier nanos;
    private final Map<Pair, Named> named = new ConcurrentHashMap<>();

    /** Messages of a channel, and its views. */
    interface Link {
        @Nullable View view();

        Address self();

        /** Members that are not heard by this one. */
        Set<Address> silent();

        /** "I do not hear these." */
        void name(Address oldest, Set<Integer> silent);

        /** "Do you live?" */
        void ask(Address member);

        /** The channel goes on without it. */
        void leaveOut(Address member);
    }

    /** One that does not hear the other. */
    private record Pair(Address by, Address silent) {}

    /**
     * @param at when the pair was named last
     * @param lived when the silent one answered first, since it is named; {@link Long#MAX_VALUE}
     *     for never
     */
    private record Named(long at, long lived) {
        boolean broken(long now) {
            return lived != Long.MAX_VALUE && now - lived >= HEARD_NANOS;
        }
    }

    BrokenPairs(Link link, int witness, LongSupplier nanos) {
        this.link = link;
        this.witness = witness;
        this.nanos = nanos;
    }

    /** Four times a second: says whom this member does not hear. */
    void name() {
        View view = link.view();
        if (view == null || view.getCoord().equals(link.self())) {
            return;
        }
        Set<Address> silent = link.silent();
        if (!silent.isEmpty() && !silent.contains(view.getCoord())) {
            Set<Integer> numbers = new HashSet<>();
            silent.forEach(each -> numbers.add(MemberChannel.number(each)));
            link.name(view.getCoord(), numbers);
        }
    }

    /** A member does not hear those. */
    void named(Address by, Set<Integer> numbers) {
        View view = link.view();
        if (view == null || !view.getCoord().equals(link.self())) {
            return;
        }
        long now = nanos.getAsLong();
        named.keySet()
                .removeIf(pair ->
                        !view.containsMember(pair.by()) || !view.containsMember(pair.silent()));
        for (Address each : view.getMembers()) {
            if (numbers.contains(MemberChannel.number(each))
                    && view.containsMember(by)
                    && !each.equals(by)
                    && !each.equals(link.self())) {
                again(view, new Pair(by, each), now);
            }
        }
    }

    private void again(View view, Pair pair, long now) {
        Named before = named.get(pair);
        long lived =
                before != null && now - before.at() <= FORGOTTEN_NANOS
                        ? before.lived()
                        : Long.MAX_VALUE;
        Named again = new Named(now, lived);
        if (again.broken(now)) {
            leaveOut(view, pair);
        } else {
            named.put(pair, again);
            link.ask(pair.silent());
        }
    }

    /** A member that was asked lives. */
    void lives(Address member) {
        long now = nanos.getAsLong();
        named.replaceAll((pair, last) ->
                pair.silent().equals(member) && last.lived() == Long.MAX_VALUE
                        ? new Named(last.at(), now)
                        : last);
    }

    private void leaveOut(View view, Pair pair) {
        named.clear();
        Address goes = goes(view.getMembers(), pair);
        LOG.warn(
                "Member {} does not hear member {}, and both are heard here: member {} is left out",
                MemberChannel.number(pair.by()),
                MemberChannel.number(pair.silent()),
                MemberChannel.number(goes));
        link.leaveOut(goes);
    }

    private Address goes(List<Address> byAge, Pair pair) {
        if (MemberChannel.number(pair.by()) == witness) {
            return pair.by();
        }
        if (MemberChannel.number(pair.silent()) == witness) {
            return pair.silent();
        }
        return byAge.indexOf(pair.by()) > byAge.indexOf(pair.silent()) ? pair.by() : pair.silent();
    }
}
