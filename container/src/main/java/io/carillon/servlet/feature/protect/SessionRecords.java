package io.carillon.servlet.feature.protect;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionBytes;
import io.carillon.sip.bytes.StateWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records as the container's own bytes: what an application keeps beside text and numbers goes with
 * them where the application is distributable. Any thread that holds the turn.
 */
public final class SessionRecords implements RecordWriter {
    private static final int USUAL_BYTES = 2048;

    @Override
    public Written write(ApplicationSession session, long term) {
        Application application = session.application();
        ClassLoader classes =
                application.description().distributable() ? application.classLoader() : null;
        List<Object> left = AttributeCodec.table();
        StateWriter out = new StateWriter(USUAL_BYTES);
        SessionBytes.write(session, out, new AttributeCodec(left, classes));
        return new Written(out.toByteArray(), missing(left));
    }

    private static @Nullable String missing(List<Object> left) {
        for (Object value : left) {
            if (!AttributeCodec.ofTheContainer(value)) {
                return "an attribute of class " + value.getClass().getName();
            }
        }
        return null;
    }
}
