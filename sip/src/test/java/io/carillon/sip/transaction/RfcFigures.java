package io.carillon.sip.transaction;

import io.carillon.sip.stack.RfcTable;
import java.util.List;

/**
 * The figures of the RFCs, written down arrow by arrow in {@code state-tables/expected.txt}: state,
 * event, what is done, state after it, section. Nothing there comes from the machines.
 */
final class RfcFigures {
    /** An arrow of a figure; {@code reliableNext} is where a timer of no length leads at once. */
    record Arrow(
            String state, String event, List<String> actions, String next, String reliableNext) {}

    private RfcFigures() {}

    /**
     * The arrows that hold for a transport.
     *
     * @param machine title of its table
     */
    static List<Arrow> arrows(String machine, boolean reliable) {
        return RfcTable.rows(machine).stream()
                .filter(row -> !row.event().endsWith(reliable ? ", UDP" : ", TCP"))
                .map(row ->
                        new Arrow(
                                row.state(),
                                row.event().replaceAll(", (UDP|TCP)", ""),
                                row.actions(),
                                row.next(),
                                row.reliableNext()))
                .toList();
    }
}
