package io.carillon.cluster.link;

/** How a node or router says it is. The number is what stands in a HELLO. */
public enum NodeHealth {
    /** Not yet of use: no applications, no table, or no partition may be its own yet. */
    STARTING(0),
    /** Takes everything. */
    READY(1),
    /** Gives away its partitions, and with them its calls; new calls go to others. */
    DRAINING(2),
    /** Has too much to do: new work goes to others first. */
    OVERLOADED(3),
    /** Its last word. */
    GONE(4),
    /** No majority answers it: it acts for no call. A reader from before takes it for READY. */
    ISOLATED(5);

    private final int code;

    NodeHealth(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Of a number that we do not know: a later version's, and it is there. */
    static NodeHealth of(int code) {
        return switch (code) {
            case 0 -> STARTING;
            case 2 -> DRAINING;
            case 3 -> OVERLOADED;
            case 4 -> GONE;
            case 5 -> ISOLATED;
            default -> READY;
        };
    }
}
