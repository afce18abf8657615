package io.carillon.server.calls;

import io.carillon.servlet.feature.timer.ApplicationTimer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.dialog.Dialog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/** Reads everything of one call. One use, with the turn held. */
final class DetailReader {
    private final ApplicationSession call;
    private final String node;
    private final CallDetail.@Nullable Cluster cluster;

    DetailReader(ApplicationSession call, String node, CallDetail.@Nullable Cluster cluster) {
        this.call = call;
        this.node = node;
        this.cluster = cluster;
    }

    CallDetail read() {
        long now = call.host().millis();
        long expires = call.getExpirationTime();
        List<String> names = new ArrayList<>();
        for (Iterator<String> it = call.getAttributeNames(); it.hasNext(); ) {
            names.add(it.next());
        }
        return new CallDetail(
                call.getId(),
                call.getApplicationName(),
                call.application().version(),
                call.key(),
                node,
                call.home().index(),
                Math.max(0, (now - call.getCreationTime()) / 1000),
                // SIP Servlet 1.1: 0 never expires, and what has expired says MIN_VALUE.
                expires <= 0 ? null : (Long) ((expires - now) / 1000),
                attributes(names, call::getAttribute),
                call.getTimers().stream().map(DetailReader::timer).toList(),
                call.sessions().stream().map(this::session).toList(),
                cluster);
    }

    private static List<CallDetail.Attribute> attributes(
            List<String> names, Function<String, @Nullable Object> value) {
        List<CallDetail.Attribute> all = new ArrayList<>(names.size());
        for (String name : names) {
            all.add(new CallDetail.Attribute(name, type(value.apply(name))));
        }
        return all;
    }

    private static String type(@Nullable Object value) {
        return value == null ? "" : value.getClass().getName();
    }

    private static CallDetail.Timer timer(ServletTimer timer) {
        Object info = timer.getInfo();
        return new CallDetail.Timer(
                timer.getId(),
                timer.getTimeRemaining(),
                timer instanceof ApplicationTimer own && own.persistent(),
                info == null ? null : type(info));
    }

    private CallDetail.Session session(ServletSession session) {
        ServletSession linked = session.linked();
        Enumeration<String> names = session.getAttributeNames();
        return new CallDetail.Session(
                session.getId(),
                session.getCallId(),
                word(session.dialog().role()),
                word(session.dialog().state()),
                session.dialog().knownLocal().toString(),
                session.dialog().remote().toString(),
                session.handler().name(),
                linked == null ? null : linked.getId(),
                session.getRegion().getType().name().toLowerCase(Locale.ROOT),
                dialog(session),
                attributes(Collections.list(names), session::getAttribute),
                session.open().stream().map(DetailReader::open).toList());
    }

    private static CallDetail.@Nullable Leg dialog(ServletSession session) {
        Dialog dialog = session.dialog().own();
        if (dialog == null) {
            return null;
        }
        return new CallDetail.Leg(
                word(dialog.state()),
                dialog.localTag(),
                dialog.remoteTag(),
                dialog.localCSeq(),
                dialog.remoteCSeq(),
                dialog.remoteTarget().toString(),
                dialog.routeSet().stream().map(Object::toString).toList(),
                dialog.secure());
    }

    private static String open(SipServletMessage open) {
        if (open instanceof ServletRequest request) {
            UasTransaction server = request.uas();
            if (server == null) {
                return request.getMethod() + " sent, its final response is awaited";
            }
            return server.success() != null
                    ? request.getMethod() + " answered, its ACK is awaited"
                    : request.getMethod()
                            + " received, "
                            + (server.finalSent()
                                    ? "answered"
                                    : "the application has not answered yet");
        }
        return open instanceof ServletResponse response
                ? response.getStatus()
                        + " to "
                        + response.getMethod()
                        + " received, the application has not acknowledged it yet"
                : open.getMethod();
    }

    /** A constant as it is shown. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
