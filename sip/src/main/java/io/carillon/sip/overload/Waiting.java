package io.carillon.sip.overload;

/** Where messages wait; the first part of what {@link QueueingDelay} measures. */
public enum Waiting {
    /** In the kernel's buffer of a socket, and between it and the shard. */
    SOCKET(0, "messages wait at the socket"),

    /** In the shard: its loop is late. */
    LOOP(1, "the event loop is late"),

    /** For a thread that runs the application's handler. */
    HANDLER(2, "handlers wait"),

    /** For a peer that takes what was written to its connection too slowly. */
    CONNECTION(3, "connections are slow"),

    /** For a processor, which handlers that compute have among them. */
    PROCESSOR(4, "handlers compute on all processors");

    private final int index;
    private final String because;

    Waiting(int index, String because) {
        this.index = index;
        this.because = because;
    }

    int index() {
        return index;
    }

    /** For the status: why the server sheds. */
    public String because() {
        return because;
    }
}
