package io.carillon.sip.transaction;

import java.util.List;

/**
 * The figures of the RFCs, written down arrow by arrow: state, event, what is done, state after it.
 * Nothing here comes from the machines.
 */
final class RfcFigures {
    /** An arrow of a figure; {@code reliableNext} is where a timer of no length leads at once. */
    record Arrow(
            String state, String event, List<String> actions, String next, String reliableNext) {}

    private RfcFigures() {}

    /** RFC 6026 8.4, the new figure 5; RFC 3261 17.1.1.2: Timer D is zero over TCP. */
    static final String INVITE_CLIENT =
            """
            CALLING    | 1xx             | resp. to TU           | PROCEEDING
            CALLING    | 2xx             | resp. to TU           | ACCEPTED
            CALLING    | 300-699         | ACK sent, resp. to TU | COMPLETED / TERMINATED
            CALLING    | Timer A, UDP    | INVITE sent         | CALLING
            CALLING    | Timer B         | inform TU           | TERMINATED
            CALLING    | transport error | inform TU           | TERMINATED
            PROCEEDING | 1xx             | resp. to TU           | PROCEEDING
            PROCEEDING | 2xx             | resp. to TU           | ACCEPTED
            PROCEEDING | 300-699         | ACK sent, resp. to TU | COMPLETED / TERMINATED
            COMPLETED  | 300-699         | ACK sent            | COMPLETED
            COMPLETED  | transport error | inform TU           | TERMINATED
            COMPLETED  | Timer D         |                     | TERMINATED
            ACCEPTED   | 2xx             | resp. to TU           | ACCEPTED
            ACCEPTED   | Timer M         |                     | TERMINATED
            """;

    /** RFC 3261 figure 6; 17.1.2.2: Timer K is zero over TCP. */
    static final String NON_INVITE_CLIENT =
            """
            TRYING     | 1xx             | resp. to TU           | PROCEEDING
            TRYING     | 200-699         | resp. to TU           | COMPLETED / TERMINATED
            TRYING     | Timer E, UDP    | request sent        | TRYING
            TRYING     | Timer F         | inform TU           | TERMINATED
            TRYING     | transport error | inform TU           | TERMINATED
            PROCEEDING | 1xx             | resp. to TU           | PROCEEDING
            PROCEEDING | 200-699         | resp. to TU           | COMPLETED / TERMINATED
            PROCEEDING | Timer E, UDP    | request sent        | PROCEEDING
            PROCEEDING | Timer F         | inform TU           | TERMINATED
            PROCEEDING | transport error | inform TU           | TERMINATED
            COMPLETED  | Timer K         |                     | TERMINATED
            """;

    /**
     * RFC 6026 8.6, the new figure 7. It has no action at Timer H, where the text of RFC 3261
     * 17.2.1 says that the machine "MUST indicate to the TU that a transaction failure has
     * occurred".
     */
    static final String INVITE_SERVER =
            """
            PROCEEDING before any response | 200 ms          | response sent | PROCEEDING
            PROCEEDING after 180           | INVITE again    | response sent | PROCEEDING
            PROCEEDING                     | 1xx from TU     | response sent | PROCEEDING
            PROCEEDING                     | 2xx from TU     | response sent | ACCEPTED
            PROCEEDING                     | 300-699 from TU | response sent | COMPLETED
            PROCEEDING                     | transport error | inform TU     | PROCEEDING
            COMPLETED                      | INVITE again    | response sent | COMPLETED
            COMPLETED                      | Timer G, UDP    | response sent | COMPLETED
            COMPLETED                      | ACK             |               | CONFIRMED / TERMINATED
            COMPLETED                      | Timer H         | inform TU     | TERMINATED
            COMPLETED                      | transport error | inform TU     | COMPLETED
            CONFIRMED                      | Timer I         |               | TERMINATED
            ACCEPTED                       | INVITE again    |               | ACCEPTED
            ACCEPTED                       | ACK             | ACK to TU     | ACCEPTED
            ACCEPTED                       | 2xx from TU     | response sent | ACCEPTED
            ACCEPTED                       | transport error | inform TU     | ACCEPTED
            ACCEPTED                       | Timer L         |               | TERMINATED
            """;

    /**
     * RFC 3261 figure 8 with RFC 4320 4.1 and 4.2: over UDP no 100 before Timer E would be T2 long,
     * then one; no other provisional response, and no 408, ever.
     */
    static final String NON_INVITE_SERVER =
            """
            TRYING     | 100 from TU, TCP        | response sent | PROCEEDING
            TRYING     | Timer E would be T2     | response sent | PROCEEDING
            TRYING     | 200-699 from TU         | response sent | COMPLETED / TERMINATED
            TRYING     | 64*T1 without final     | inform TU     | TERMINATED
            PROCEEDING | request again           | response sent | PROCEEDING
            PROCEEDING | 100 from TU             | response sent | PROCEEDING
            PROCEEDING | 200-699 from TU         | response sent | COMPLETED / TERMINATED
            PROCEEDING | 64*T1 without final     | inform TU     | TERMINATED
            PROCEEDING | transport error         | inform TU     | TERMINATED
            COMPLETED  | request again           | response sent | COMPLETED
            COMPLETED  | Timer J                 |               | TERMINATED
            COMPLETED  | transport error         | inform TU     | TERMINATED
            """;

    /** The arrows that hold for a transport. */
    static List<Arrow> arrows(String figure, boolean reliable) {
        return figure.lines()
                .map(line -> line.split("\\|", -1))
                .filter(cells -> !cells[1].strip().endsWith(reliable ? ", UDP" : ", TCP"))
                .map(RfcFigures::arrow)
                .toList();
    }

    private static Arrow arrow(String[] cells) {
        String[] next = cells[3].split("/");
        String actions = cells[2].strip();
        return new Arrow(
                cells[0].strip(),
                cells[1].replaceAll(", (UDP|TCP)", "").strip(),
                actions.isEmpty() ? List.of() : List.of(actions.split(", ")),
                next[0].strip(),
                next[next.length - 1].strip());
    }
}
