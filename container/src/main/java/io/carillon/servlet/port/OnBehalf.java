package io.carillon.servlet.port;

import io.carillon.servlet.turn.Turn;
import io.carillon.sip.hop.Origin;

/** On whose behalf the calling thread works. Any thread. */
public final class OnBehalf {
    private OnBehalf() {}

    /**
     * Of whoever has asked for anything in the call whose turn it is in, and of the visitor whose
     * page it makes.
     */
    public static Origin asked() {
        Turn turn = Turn.current();
        Origin origin = turn == null ? Origin.OWN : turn.origin();
        PageVisitor visitor = PageVisitor.served();
        return visitor == null ? origin : origin.stricter(visitor.origin());
    }
}
