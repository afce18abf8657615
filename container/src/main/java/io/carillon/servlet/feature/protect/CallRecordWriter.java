package io.carillon.servlet.feature.protect;

import io.carillon.servlet.bytes.AttributeCodec.LeftOut;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallRecords;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records that another node goes on with ({@link CallRecords}). Any thread that has the turn. */
public final class CallRecordWriter implements RecordWriter {
    private final int node;

    /**
     * @param node number of this node, which its records say
     */
    public CallRecordWriter(int node) {
        this.node = node;
    }

    @Override
    public Written write(ApplicationSession session, long term) {
        // The store has the number of the state: in the record it would make each one another.
        byte[] record = CallRecords.write(session, node, term, 0);
        return new Written(record, missing(session, record));
    }

    /** When it was written makes no other record of it. */
    @Override
    public long digest(byte[] record) {
        return RecordDigest.of(record, CallRecords.lengthWithoutStamp(record));
    }

    private static @Nullable String missing(ApplicationSession session, byte[] record) {
        if (CallRecords.header(record).whole()) {
            return null;
        }
        List<LeftOut> left = CallRecords.leftOut(session);
        if (left.isEmpty()) {
            return "something of it";
        }
        LeftOut first = left.getFirst();
        return first.where() + " of class " + first.type();
    }
}
