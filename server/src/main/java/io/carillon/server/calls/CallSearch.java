package io.carillon.server.calls;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionDialog;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * Looks through all calls, without any turn. Text is made only of those that are listed: there may
 * be a hundred thousand. Of one thread.
 */
final class CallSearch {
    /** The longest first; those that began together by their ids. */
    private static final Comparator<Found> ORDER =
            Comparator.comparingLong(Found::beganMillis).thenComparing(one -> one.call().getId());

    private final CallList.Filter filter;
    private final String text;
    private final long nowMillis;
    private final String node;
    private final @Nullable Place after;

    /** The first ones that were found so far, the last of them on top. */
    private final PriorityQueue<Found> first = new PriorityQueue<>(ORDER.reversed());

    private int held;
    private int matching;
    private int beyond;

    private record Found(ApplicationSession call, List<ServletSession> legs, long beganMillis) {}

    /**
     * Where a page ends.
     *
     * @param beganMillis of its last call
     * @param id of it
     */
    private record Place(long beganMillis, String id) {
        /** Null for no text. */
        static @Nullable Place read(@Nullable String text) {
            if (text == null || text.isEmpty()) {
                return null;
            }
            int dot = text.indexOf('.');
            try {
                return new Place(
                        Long.parseLong(dot < 0 ? text : text.substring(0, dot)),
                        text.substring(dot + 1));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'" + text + "' is no end of a page that was listed before", e);
            }
        }

        boolean before(Found one) {
            return one.beganMillis() != beganMillis
                    ? one.beganMillis() > beganMillis
                    : one.call().getId().compareTo(id) > 0;
        }
    }

    /**
     * @param node this server's name
     * @throws IllegalArgumentException where the filter's place is none
     */
    CallSearch(CallList.Filter filter, long nowMillis, String node) {
        this.filter = filter;
        String wanted = filter.text();
        this.text = wanted == null ? "" : wanted.toLowerCase(Locale.ROOT);
        this.nowMillis = nowMillis;
        this.node = node;
        this.after = Place.read(filter.after());
    }

    CallList of(Collection<ApplicationSession> all) {
        for (ApplicationSession call : all) {
            look(call);
        }
        List<Found> page = new ArrayList<>(first);
        page.sort(ORDER);
        Found last = page.isEmpty() ? null : page.getLast();
        return new CallList(
                held,
                matching,
                page.stream().map(this::row).toList(),
                last == null || beyond == 0
                        ? null
                        : last.beganMillis() + "." + last.call().getId());
    }

    private void look(ApplicationSession call) {
        List<ServletSession> legs = legs(call);
        if (legs.isEmpty() || legs.stream().noneMatch(leg -> leg.dialog().byInvite())) {
            return;
        }
        held++;
        Found found = new Found(call, legs, legs.getFirst().createdAtMillis());
        if (!passes(found)) {
            return;
        }
        matching++;
        if (after != null && !after.before(found)) {
            return;
        }
        first.add(found);
        if (filter.most() > 0 && first.size() > filter.most()) {
            first.remove();
            beyond++;
        }
    }

    /** The list is its turn's, and may change while it is copied: then a leg may be missing. */
    static List<ServletSession> legs(ApplicationSession call) {
        List<ServletSession> legs = new ArrayList<>(2);
        for (ServletSession leg : call.sessions().toArray(ServletSession[]::new)) {
            if (leg != null) {
                legs.add(leg);
            }
        }
        return legs;
    }

    private CallList.Call row(Found found) {
        ServletSession leg = found.legs().getFirst();
        return new CallList.Call(
                found.call().getId(),
                found.legs().stream().map(ServletSession::getCallId).distinct().toList(),
                from(leg).uri().toString(),
                to(leg).uri().toString(),
                state(found.legs()),
                seconds(found),
                found.call().getApplicationName(),
                found.legs().size(),
                node,
                Instant.ofEpochMilli(found.beganMillis()).toString());
    }

    private static NameAddress from(ServletSession first) {
        return begunHere(first) ? first.dialog().knownLocal() : first.dialog().remote();
    }

    private static NameAddress to(ServletSession first) {
        return begunHere(first) ? first.dialog().remote() : first.dialog().knownLocal();
    }

    private static boolean begunHere(ServletSession first) {
        return first.dialog().role() == SessionDialog.Role.UAC;
    }

    private long seconds(Found found) {
        return Math.max(0, (nowMillis - found.beganMillis()) / 1000);
    }

    private static String state(List<ServletSession> legs) {
        SipSession.State least = SipSession.State.TERMINATED;
        for (ServletSession leg : legs) {
            if (leg.dialog().state().compareTo(least) < 0) {
                least = leg.dialog().state();
            }
        }
        return DetailReader.word(least);
    }

    private boolean passes(Found found) {
        return seconds(found) >= filter.longerThanSeconds()
                && (filter.application().isEmpty()
                        || filter.application().equals(found.call().getApplicationName()))
                && (filter.state().isEmpty()
                        || filter.state().equalsIgnoreCase(state(found.legs())))
                && (filter.user().isEmpty()
                        || found.legs().stream()
                                .anyMatch(leg ->
                                        isUser(leg.dialog().knownLocal(), filter.user())
                                                || isUser(leg.dialog().remote(), filter.user())))
                && (text.isEmpty() || says(found));
    }

    /** Is the text somewhere in what is listed of it? */
    private boolean says(Found found) {
        for (ServletSession leg : found.legs()) {
            if (has(leg.getCallId())
                    || has(from(leg).uri().toString())
                    || has(to(leg).uri().toString())) {
                return true;
            }
        }
        return has(found.call().getId()) || has(found.call().getApplicationName());
    }

    private boolean has(String where) {
        return where.toLowerCase(Locale.ROOT).contains(text);
    }

    private static boolean isUser(NameAddress party, String user) {
        return switch (party.uri()) {
            case SipUri sip ->
                    user.equals(sip.user()) || user.equals(sip.user() + "@" + sip.host());
            case TelUri tel -> user.equals(tel.number());
            default -> false;
        };
    }
}
