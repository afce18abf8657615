package io.carillon.servlet.dispatch;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.feature.protect.RecordWriter;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallRecords;
import java.util.List;

/** Records that another node can take over. Any thread that holds the turn. */
public final class CallRecordWriter implements RecordWriter {
    @Override
    public Written write(ApplicationSession session, long term) {
        byte[] record = CallRecords.write(session, term, 0);
        if (CallRecords.header(record).whole()) {
            return new Written(record, null);
        }
        List<AttributeCodec.LeftOut> left = CallRecords.leftOut(session);
        return new Written(
                record,
                left.isEmpty()
                        ? "something of it"
                        : left.getFirst().where() + " of class " + left.getFirst().type());
    }
}
