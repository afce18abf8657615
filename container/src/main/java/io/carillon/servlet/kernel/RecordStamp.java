package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;

/**
 * When a record was written, and by which node: the last section of it, always as long, so that two
 * records can be compared without it. Immutable.
 *
 * @param millis by the wall clock of that node; 0 where the record does not say
 * @param node its number, below 1,023; -1 where the record does not say
 */
record RecordStamp(long millis, int node) {
    /** Of a record without one. */
    static final RecordStamp NONE = new RecordStamp(0, -1);

    /** The number of the section. */
    static final int SECTION = 11;

    private static final int VERSION = 1;

    /** More than there are nodes. */
    private static final int NODES = 1 << 10;

    /** Bytes of the section, with its number, version and length. */
    static final int LENGTH = lengthOfOne();

    private static int lengthOfOne() {
        StateWriter one = new StateWriter(32);
        write(one, 0, 0);
        return one.length();
    }

    static void write(StateWriter out, long millis, int node) {
        out.putVarint(SECTION);
        int section = out.begin(VERSION);
        out.putFixed(millis * NODES + node + 1);
        out.end(section);
    }

    static RecordStamp read(StateReader in) {
        long both = in.getFixed();
        return new RecordStamp(Math.floorDiv(both, NODES), Math.floorMod(both, NODES) - 1);
    }

    /**
     * The clocks of two machines are never quite the same: no age is below 0. This node may have
     * written states of the call in this very term, before it was cut off, and a record does not
     * say its number: the time now is more than the states that a call may have had.
     */
    TakeOver takeOver(long term, long nowMillis) {
        long age = millis == 0 ? -1 : Math.max(0, nowMillis - millis);
        return new TakeOver(node, term, age, nowMillis);
    }
}
