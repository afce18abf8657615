package io.carillon.telemetry.spans;

/**
 * Which calls are kept, and how much may wait until that is known.
 *
 * @param perTenThousand calls of ten thousand that are kept, whatever becomes of them
 * @param keepFailed keep every call that failed
 * @param maxSpans spans of calls that go on; a call itself counts as {@link CallTable#CALL_COST}
 */
public record SpanConfig(int perTenThousand, boolean keepFailed, int maxSpans) {
    /** Of all calls. */
    public static final int ALL = 10_000;

    public SpanConfig {
        if (perTenThousand < 0 || perTenThousand > ALL) {
            throw new IllegalArgumentException("0 to 10000 of ten thousand: " + perTenThousand);
        }
        if (maxSpans < CallTable.CALL_COST) {
            throw new IllegalArgumentException("no room for a call: " + maxSpans);
        }
    }
}
