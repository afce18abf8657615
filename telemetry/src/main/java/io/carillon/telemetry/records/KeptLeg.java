package io.carillon.telemetry.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * An open leg as the next node of a cluster needs it to write the end of its record: it goes with
 * the call, as JSON. A value. What a newer node adds an older one leaves out.
 *
 * @param id of the leg, the same in all records of it
 * @param call id of the call
 * @param node name of the node that has it
 * @param owner the application that has it; null for none
 * @param began by the wall clock
 * @param ring milliseconds after that; null: it has not rung
 * @param answer likewise
 * @param forkOf id of the leg whose INVITE led to this one too
 * @param fields of the application, of the whole call
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KeptLeg(
        String id,
        String call,
        String node,
        DialogLegs.@Nullable Owner owner,
        Leg.Invite invite,
        Leg.Attempt attempt,
        @Nullable String toTag,
        long began,
        @Nullable Long ring,
        @Nullable Long answer,
        boolean proxied,
        boolean cancelled,
        int status,
        @Nullable String phrase,
        @Nullable String reason,
        @Nullable String problem,
        @Nullable String referTo,
        @Nullable String offer,
        @Nullable String answered,
        int forks,
        @Nullable String forkOf,
        @Nullable String linked,
        @Nullable String transferOf,
        @Nullable Map<String, Object> fields) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long NANOS_PER_MILLI = 1_000_000;

    static String text(List<KeptLeg> all) {
        return JSON.writeValueAsString(all);
    }

    /**
     * @throws IllegalArgumentException when it is none
     */
    static List<KeptLeg> read(String text) {
        try {
            return List.of(JSON.readValue(text, KeptLeg[].class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no legs: " + e.getOriginalMessage(), e);
        }
    }

    /** With the monitor of its legs held. */
    static KeptLeg of(LegTable table, DialogLegs legs, Leg leg, String node) {
        Leg.Outcome outcome = leg.outcome;
        Map<String, Object> fields = legs.call().fields();
        return new KeptLeg(
                leg.id(table),
                legs.call().id,
                node,
                legs.owner(leg),
                leg.invite,
                leg.attempt,
                leg.toTag,
                leg.beganMillis,
                since(leg, leg.ringNanos),
                since(leg, leg.answerNanos),
                leg.proxied,
                leg.cancelled,
                outcome.status,
                outcome.phrase,
                outcome.reason,
                outcome.problem,
                outcome.referTo,
                outcome.offer,
                outcome.answer,
                outcome.forks,
                leg.forkOf(table),
                legs.linked(),
                legs.transferOf(),
                fields.isEmpty() ? null : fields);
    }

    private static @Nullable Long since(Leg leg, long nanos) {
        return nanos == Leg.NEVER ? null : (Long) ((nanos - leg.beganNanos) / NANOS_PER_MILLI);
    }

    /**
     * The leg, as it goes on here.
     *
     * @param number its number here
     * @param ageNanos since it began; two clocks that differ make no call younger than nothing
     */
    Leg leg(long number, long now, long ageNanos) {
        long begin = now - Math.max(0, ageNanos);
        Leg leg = new Leg(number, invite, begin, began, null);
        leg.taken = new Leg.Taken(id, node, forkOf);
        leg.attempt = attempt;
        leg.toTag = toTag;
        leg.ringNanos = ring == null ? Leg.NEVER : begin + ring * NANOS_PER_MILLI;
        leg.answerNanos = answer == null ? Leg.NEVER : begin + answer * NANOS_PER_MILLI;
        leg.proxied = proxied;
        leg.cancelled = cancelled;
        leg.outcome.status = status;
        leg.outcome.phrase = phrase;
        leg.outcome.reason = reason;
        leg.outcome.problem = problem;
        leg.outcome.referTo = referTo;
        leg.outcome.offer = offer;
        leg.outcome.answer = answered;
        leg.outcome.forks = forks;
        leg.outcome.handled = true;
        return leg;
    }
}
