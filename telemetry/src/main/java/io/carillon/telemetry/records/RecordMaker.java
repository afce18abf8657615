package io.carillon.telemetry.records;

import io.carillon.sip.privacy.PrivacyValues;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes records of legs: masks, hides, and says who ended what. By the writer's thread. */
final class RecordMaker {
    /** ISO 8601, always with three digits of milliseconds and always UTC. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1000;

    /** The other leg of a call ends that soon before its counterpart. */
    private static final long TOGETHER_NANOS = 32_000_000_000L;

    /** What this server does because the other leg did it. */
    private static final Set<String> ASKED_FOR = Set.of("BYE", "CANCEL", "refusal");

    private final LegTable table;
    private final String node;
    private final NumberMask mask;
    private final boolean privateIdentities;

    /**
     * @param node this server's name
     * @param privateIdentities are asserted identities kept where a caller wants privacy?
     */
    RecordMaker(LegTable table, String node, NumberMask mask, boolean privateIdentities) {
        this.table = table;
        this.node = node;
        this.mask = mask;
        this.privateIdentities = privateIdentities;
    }

    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }

    /** Of a leg that is over. With no monitor held. */
    CallRecord closed(DialogLegs legs, Leg leg) {
        Leg.By by = whoEnded(legs, leg);
        synchronized (legs) {
            if (leg.outcome.left != null) {
                return record(legs, leg, leg.outcome.left, null, at(leg, leg.endNanos));
            }
            return record(legs, leg, CallRecord.FINAL, by, null);
        }
    }

    /** Of a leg that goes on; with the monitor of its legs held. */
    CallRecord open(DialogLegs legs, Leg leg, long nowMillis) {
        return record(legs, leg, CallRecord.OPEN, null, time(nowMillis));
    }

    /** Of an application's own. */
    CallRecord own(String application, int version, Map<String, Object> fields, long nowMillis) {
        String now = time(nowMillis);
        return new CallRecord(
                CallRecord.APPLICATION,
                table.id(table.next()),
                null,
                node,
                application,
                version,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                now,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                fields,
                null);
    }

    private CallRecord record(
            DialogLegs legs, Leg leg, String kind, Leg.@Nullable By by, @Nullable String seen) {
        Leg.Invite invite = leg.invite;
        Leg.Outcome outcome = leg.outcome;
        DialogLegs.Owner owner = legs.owner(leg);
        OneCall call = legs.call();
        boolean hidden = !privateIdentities && wantsPrivacy(invite.privacy());
        Map<String, Object> fields = call.fields();
        return new CallRecord(
                kind,
                leg.id(table),
                call.id,
                node,
                owner == null ? null : owner.application(),
                owner == null ? null : (Integer) owner.version(),
                owner == null ? null : owner.session(),
                invite.in() ? "in" : "out",
                leg.proxied ? "proxy" : invite.in() ? "uas" : "uac",
                legs.callId,
                invite.fromTag(),
                leg.toTag,
                mask.address(invite.from()),
                mask.address(invite.to()),
                mask.address(invite.requestUri()),
                hidden ? null : mask.address(invite.asserted()),
                invite.privacy(),
                invite.peer(),
                invite.peerName().isEmpty() ? null : invite.peerName(),
                time(leg.beganMillis),
                at(leg, leg.ringNanos),
                at(leg, leg.answerNanos),
                at(leg, endOf(leg)),
                seen,
                seconds(leg.beganNanos, leg.ringNanos),
                seconds(leg.beganNanos, leg.answerNanos),
                leg.answered() ? seconds(leg.answerNanos, endOf(leg)) : null,
                outcome.status,
                outcome.phrase,
                by == null ? null : by.name().toLowerCase(Locale.ROOT),
                outcome.with,
                outcome.reason,
                outcome.problem,
                outcome.repeatsIn,
                outcome.repeatsOut,
                leg.outcome.forks == 0 ? null : (Integer) (leg.outcome.forks + 1),
                leg.forkOf(table),
                legs.linked(),
                mask.address(outcome.referTo),
                mask.address(invite.referredBy()),
                invite.replaces(),
                legs.transferOf(),
                codecs(outcome),
                fields.isEmpty() ? null : fields,
                leg.taken == null ? null : leg.taken.node());
    }

    /** When a call that went out of sight ended, nobody knows; one that has left goes on. */
    private static long endOf(Leg leg) {
        return leg.outcome.left != null || "out of sight".equals(leg.outcome.with)
                ? Leg.NEVER
                : leg.endNanos;
    }

    private static @Nullable String at(Leg leg, long nanos) {
        return nanos == Leg.NEVER
                ? null
                : time(leg.beganMillis + Math.round((nanos - leg.beganNanos) / NANOS_PER_MILLI));
    }

    private static @Nullable Double seconds(long from, long to) {
        return from == Leg.NEVER || to == Leg.NEVER
                ? null
                : (Double) (Math.round((to - from) / NANOS_PER_MILLI) / MILLIS_PER_SECOND);
    }

    /** RFC 3323, RFC 3325 7: id, user and header all ask that nobody learns who it is. */
    private static boolean wantsPrivacy(@Nullable String privacy) {
        if (privacy == null) {
            return false;
        }
        PrivacyValues values = PrivacyValues.of(List.of(privacy));
        return values.has(PrivacyValues.ID)
                || values.has(PrivacyValues.USER)
                || values.has(PrivacyValues.HEADER);
    }

    private static @Nullable List<String> codecs(Leg.Outcome outcome) {
        if (outcome.offer == null && outcome.answer == null) {
            return null;
        }
        return List.of(
                "offer: " + (outcome.offer == null ? "" : outcome.offer.replace("\n", "; ")),
                "answer: " + (outcome.answer == null ? "" : outcome.answer.replace("\n", "; ")));
    }

    /**
     * What this server ended, another leg may have asked for: the caller's BYE ends the leg of the
     * callee too.
     */
    private static Leg.By whoEnded(DialogLegs legs, Leg leg) {
        Leg.By own = leg.outcome.by;
        if (own != Leg.By.SERVER || !ASKED_FOR.contains(String.valueOf(leg.outcome.with))) {
            return own;
        }
        String linked = legs.linked();
        String other = linked == null ? legs.call().linkedTo(legs.callId) : linked;
        for (OneCall.Ended one : legs.call().ended().reversed()) {
            long before = leg.endNanos - one.atNanos();
            boolean beside = one.callId().equals(legs.callId) || one.callId().equals(other);
            if (beside
                    && one.leg() != leg.number
                    && one.by() != Leg.By.SERVER
                    && one.by() != Leg.By.NOBODY
                    && before >= 0
                    && before < TOGETHER_NANOS) {
                return one.by();
            }
        }
        return own;
    }
}
