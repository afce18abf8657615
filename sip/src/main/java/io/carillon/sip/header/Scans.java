package io.carillon.sip.header;

/**
 * One scan of each kind for each thread, so that reading a header makes no object but what it gives
 * out. A method takes one, finishes with it, and calls nothing meanwhile that takes the same kind.
 *
 * <p>Owner: the thread that asks.
 */
public final class Scans {
    private static final ThreadLocal<Scans> MINE = ThreadLocal.withInitial(Scans::new);

    private final AddressScan address = new AddressScan();
    private final ViaScan via = new ViaScan();
    private final ParamScan params = new ParamScan();

    private Scans() {}

    /** Those of the calling thread. */
    public static Scans mine() {
        return MINE.get();
    }

    /** With no faults of an earlier scan. */
    public AddressScan address() {
        address.clearFaults();
        return address;
    }

    /** With no faults of an earlier scan. */
    public ViaScan via() {
        via.clearFaults();
        return via;
    }

    ParamScan params() {
        return params;
    }
}
