package io.carillon.cluster.link;

/** How a node or router says it is. The number is what stands in a HELLO. */
public enum NodeHealth {
    /** Not yet of use: no applications, no table. */
    STARTING(0),
    /** Takes everything. */
    READY(1),
    /** Ends the calls it has, takes no new ones. */
    DRAINING(2),
    /** Has too much to do: new work goes to others first. */
    OVERLOADED(3),
    /** Its last word. */
    GONE(4);

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
            default -> READY;
        };
    }
}
