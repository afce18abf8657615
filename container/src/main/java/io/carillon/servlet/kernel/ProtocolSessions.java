package io.carillon.servlet.kernel;

import io.carillon.servlet.turn.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * What an application session shows of its SIP and HTTP sessions: copies, as it is any thread of an
 * application that looks; one that must not wait for the turn is refused ({@link Turn#enterNow}).
 * Stateless.
 */
final class ProtocolSessions {
    private ProtocolSessions() {}

    static Iterator<?> all(ApplicationSession parent) {
        List<Object> all = new ArrayList<>(sip(parent));
        all.addAll(parent.http().sessions());
        return Collections.unmodifiableList(all).iterator();
    }

    /**
     * Those of one protocol.
     *
     * @throws IllegalArgumentException for another protocol than SIP and HTTP
     */
    static Iterator<?> of(ApplicationSession parent, String protocol) {
        return switch (protocol) {
            case "SIP" -> sip(parent).iterator();
            case "HTTP" -> List.copyOf(parent.http().sessions()).iterator();
            default ->
                    throw new IllegalArgumentException(
                            "the protocol is SIP or HTTP, not " + protocol);
        };
    }

    static @Nullable SipSession sip(ApplicationSession parent, String id) {
        for (ServletSession session : sip(parent)) {
            if (session.getId().equals(id)) {
                return session;
            }
        }
        return null;
    }

    static @Nullable ServletTimer timer(ApplicationSession parent, String id) {
        for (ServletTimer timer : parent.getTimers()) {
            if (timer.getId().equals(id)) {
                return timer;
            }
        }
        return null;
    }

    private static List<ServletSession> sip(ApplicationSession parent) {
        parent.enterNow();
        try {
            return List.copyOf(parent.sessions());
        } finally {
            parent.exit();
        }
    }
}
