package io.carillon.sip.overload;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.observe.Trace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Does what {@link OverloadControl} decides about a message: lets it go on, answers it, or drops
 * it.
 *
 * <p>Owner: the shard's thread.
 */
public final class Shedding {
    private final OverloadControl control;
    private final Wire wire;
    private final StackCounters counters;
    private final Trace trace;
    private final @Nullable Feedback feedback;

    /**
     * @param feedback tells peers how much they may send; null where none takes part
     */
    public Shedding(
            OverloadControl control,
            Wire wire,
            StackCounters counters,
            Trace trace,
            @Nullable Feedback feedback) {
        this.feedback = feedback;
        this.control = control;
        this.wire = wire;
        this.counters = counters;
        this.trace = trace;
    }

    /** What decides. */
    public OverloadControl control() {
        return control;
    }

    /** Time passes. */
    public void advance(long nowNanos) {
        control.advance(nowNanos);
    }

    /**
     * A message came, and is not parsed yet.
     *
     * @return false when it is dealt with
     */
    public boolean lets(byte[] message, int length, Hop from, long nowNanos) {
        control.advance(nowNanos);
        return !control.watches() || decided(message, length, from, nowNanos);
    }

    private boolean decided(byte[] message, int length, Hop from, long nowNanos) {
        Admission admission = control.decide(message, length, from, nowNanos);
        switch (admission) {
            case Admission.Accepted accepted -> {}
            case Admission.Refused refused -> {
                if (control.answer(refused, from, told(from, nowNanos))) {
                    counters.responseOut(refused.status());
                    wire.sendBytes(
                            control.answerWay(from), control.answerBytes(), control.answerLength());
                }
                counters.add(refused.why());
            }
            case Admission.Dropped dropped -> counters.add(dropped.why());
        }
        control.forget();
        if (admission == Admission.ACCEPTED) {
            return true;
        }
        tell(admission, message, length, from);
        return false;
    }

    /** RFC 7339 5.2: "The "oc" parameter can be used in all response types". */
    private @Nullable String told(Hop from, long nowNanos) {
        if (feedback == null) {
            return null;
        }
        feedback.refused(from, nowNanos);
        Via offer = control.offer();
        return offer == null ? null : feedback.params(offer, from, nowNanos);
    }

    private void tell(Admission admission, byte[] message, int length, Hop from) {
        if (trace.off()) {
            return;
        }
        byte[] whole = Arrays.copyOf(message, length);
        switch (admission) {
            case Admission.Accepted accepted -> {}
            case Admission.Refused refused -> trace.tell(refused.why(), whole, from, null);
            case Admission.Dropped dropped -> trace.tell(dropped.why(), whole, from, null);
        }
    }
}
