package io.carillon.servlet.feature.store;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionBytes;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The test mode: at the end of each piece of work every session goes through its bytes and lives on
 * with what they say, so that state which the bytes miss is missed by tests. Attributes and
 * listeners hear of both ways as if the session came to another node. Any thread.
 */
public final class RoundTripStore implements SessionStore {
    private final LongAdder rounds = new LongAdder();

    @Override
    public void turnEnded(ApplicationSession session) {
        if (!session.isValid()) {
            return;
        }
        session.host().events().willPassivate(session);
        if (!session.isValid()) {
            return;
        }
        List<Object> references = AttributeCodec.table();
        byte[] before = encode(session, references);
        session.sessions().forEach(FieldEraser::blank);
        FieldEraser.blank(session);
        SessionBytes.read(
                session, new StateReader(before), codec(session.application(), references));
        byte[] after = encode(session, AttributeCodec.table());
        if (!Arrays.equals(before, after)) {
            throw new IllegalStateException(
                    "the state of " + session + " changed on its way through bytes");
        }
        rounds.increment();
        session.host().events().didActivate(session);
    }

    /** How often a session went through its bytes. */
    public long rounds() {
        return rounds.sum();
    }

    private static byte[] encode(ApplicationSession session, List<Object> references) {
        StateWriter out = new StateWriter();
        SessionBytes.write(session, out, codec(session.application(), references));
        return out.toByteArray();
    }

    private static AttributeCodec codec(Application application, List<Object> references) {
        @Nullable ClassLoader classes =
                application.description().distributable() ? application.ownClasses() : null;
        return new AttributeCodec(references, classes);
    }
}
