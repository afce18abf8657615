package io.carillon.fuzz.state;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.server.MemoryServer;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionBytes;
import io.carillon.servlet.kernel.SessionPath;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a whole application session: refused, or a session that can be asked for all it
 * holds, writes the same bytes again and again, and ends; nothing of it is left in the server,
 * refused or not.
 *
 * <p>One thread. A server lives for a thousand inputs, or until one fails. No time passes in
 * between, as a session of another time is refused; when the server ends, what it queued is done.
 */
public final class SessionTarget {
    /** What the seeds name. */
    public static final String APPLICATION = "fuzz";

    public static final String KEY = "k";
    public static final String SERVLET = "main";

    private static final int INPUTS_OF_A_SERVER = 1_000;

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(5);

    private static @Nullable SessionTarget living;

    private final MemoryServer server = new MemoryServer(APPLICATION, SERVLET, Nothing::new);
    private int inputs;

    private SessionTarget() {}

    /** Does nothing: only its name counts. */
    public static final class Nothing extends SipServlet {
        private static final long serialVersionUID = 1L;
    }

    /** Loads the classes: by Jazzer, before its first input. */
    public static void fuzzerInitialize() {
        fuzzerTestOneInput(new byte[1]);
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        SessionTarget target = living == null ? new SessionTarget() : living;
        living = null;
        target.tried(data);
        if (++target.inputs < INPUTS_OF_A_SERVER) {
            living = target;
        } else {
            target.ended();
        }
    }

    private void ended() {
        server.run(LONG_ENOUGH);
        server.assertNothingLeft();
        server.close();
    }

    private void tried(byte[] data) {
        ApplicationSession session = server.session(KEY);
        if (!session.enter()) {
            throw new Finding("the turn is not free");
        }
        try {
            if (taken(session, data)) {
                asked(session);
            }
        } finally {
            session.exit();
        }
        if (session.isValid()) {
            session.invalidate();
        }
        server.run(Duration.ZERO);
        server.assertNothingLeft();
    }

    private static boolean taken(ApplicationSession session, byte[] data) {
        try {
            SessionBytes.read(session, new StateReader(data), codec(table()));
        } catch (StateFormatException refused) {
            return false;
        }
        byte[] first = written(session);
        byte[] second = written(session);
        if (!Arrays.equals(first, second)) {
            throw new Finding("a session writes itself differently the second time");
        }
        List<Object> references = AttributeCodec.table();
        byte[] before = written(session, references);
        SessionBytes.read(session, new StateReader(before), codec(references));
        if (!Arrays.equals(before, written(session))) {
            throw new Finding("a session changes on its way through bytes");
        }
        return true;
    }

    /** What a session of this node may refer to. */
    private static List<Object> table() {
        List<Object> references = AttributeCodec.table();
        for (int i = 0; i < 2; i++) {
            references.add(
                    new SessionPath.Routing(
                            SipApplicationRoutingRegion.ORIGINATING_REGION, null, null));
        }
        references.add(new ArrayList<>(List.of("an attribute")));
        return references;
    }

    private static AttributeCodec codec(List<Object> references) {
        return new AttributeCodec(references, SessionTarget.class.getClassLoader());
    }

    private static byte[] written(ApplicationSession session) {
        return written(session, AttributeCodec.table());
    }

    private static byte[] written(ApplicationSession session, List<Object> references) {
        StateWriter out = new StateWriter();
        SessionBytes.write(session, out, codec(references));
        return out.toByteArray();
    }

    private static void asked(ApplicationSession session) {
        for (ServletTimer timer : session.getTimers()) {
            timer.getTimeRemaining();
            timer.scheduledExecutionTime();
            timer.getInfo();
        }
        session.getExpirationTime();
        session.getLastAccessedTime();
        session.getAttributeNames().forEachRemaining(session::getAttribute);
        for (ServletSession child : List.copyOf(session.sessions())) {
            child.getAttributeNames().asIterator().forEachRemaining(child::getAttribute);
            child.getLocalParty().getURI();
            var _ = child.getRemoteParty().toString();
            child.getRegion();
            child.getState();
            child.isReadyToInvalidate();
            var _ = child.toString();
            request(child);
        }
        session.isReadyToInvalidate();
    }

    private static void request(ServletSession child) {
        try {
            child.getSubscriberURI();
            var _ = child.createRequest("INFO").toString();
        } catch (IllegalStateException refused) {
            // A session that is over, or a proxy's, sends nothing.
        }
    }
}
