package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.ContainerValues;
import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.ServletAddress;
import io.carillon.servlet.header.ServletUri;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletContext;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;

/**
 * What an application keeps of the container's objects, in the record of one application session:
 * sessions and timers by their numbers, those of others by their ids; messages, addresses and URIs
 * by value. A message that is kept twice is one message again. Owner: whoever holds the turn.
 */
final class RecordValues implements ContainerValues {
    // The codes are never given to anything else.
    private static final int SESSION = 1;
    private static final int APPLICATION_SESSION = 2;
    private static final int TIMER = 3;
    private static final int ADDRESS = 4;
    private static final int URI = 5;
    private static final int PARAMETERABLE = 6;
    private static final int SERVICE = 7;
    private static final int BACK_TO_BACK = 8;
    private static final int CONTEXT = 9;
    private static final int REQUEST = 10;
    private static final int RESPONSE = 11;
    private static final int SAME = 12;

    /** An initial INVITE that is under way: {@link OpenInvites}. */
    private static final int OPEN = 13;

    /**
     * Messages in attributes of messages, one in the other: what is deeper stays behind, so that
     * neither who writes nor who reads runs out of stack.
     */
    private static final int MOST_DEPTH = 64;

    /** Messages that one record may hold. */
    private static final int MOST_MESSAGES = 10_000;

    /** Under these names an application's context has them. */
    private static final List<String> SERVICES =
            List.of(SipServlet.SIP_FACTORY, SipServlet.TIMER_SERVICE, SipServlet.SIP_SESSIONS_UTIL);

    private final ApplicationSession session;
    private final List<@Nullable Object> messages = new ArrayList<>();
    private int depth;

    /** How values of attributes lie in the record; set before it is written or read. */
    private @Nullable AttributeCodec codec;

    private RecordValues(ApplicationSession session) {
        this.session = session;
    }

    /** The codec of a record of that application session. */
    static AttributeCodec codec(ApplicationSession session, @Nullable ClassLoader classes) {
        RecordValues values = new RecordValues(session);
        AttributeCodec made = AttributeCodec.record(values, classes);
        values.codec = made;
        return made;
    }

    /** What another application session has. */
    private record Elsewhere(SessionTables tables, int kind, String id, int ordinal)
            implements Deferred {
        @Override
        public @Nullable Object get() {
            ApplicationSession found = tables.find(id);
            if (found == null) {
                return null;
            }
            return switch (kind) {
                case SESSION -> found.session(ordinal);
                case TIMER -> found.timer(ordinal);
                default -> found;
            };
        }
    }

    @Override
    public int mark() {
        return messages.size();
    }

    @Override
    public void back(int mark) {
        messages.subList(mark, messages.size()).clear();
    }

    // ---- writing ----

    @Override
    public byte @Nullable [] bytes(Object value) {
        if (depth == MOST_DEPTH) {
            return null;
        }
        depth++;
        try {
            StateWriter out = new StateWriter(64);
            return write(value, out) ? out.toByteArray() : null;
        } finally {
            depth--;
        }
    }

    private boolean write(Object value, StateWriter out) {
        switch (value) {
            case Elsewhere other -> child(out, other.kind(), other.id(), other.ordinal());
            case ServletSession own -> child(out, SESSION, own.parent().getId(), own.ordinal());
            case ApplicationSession own -> child(out, APPLICATION_SESSION, own.getId(), 0);
            case TimerChild own ->
                    child(out, TIMER, own.getApplicationSession().getId(), own.ordinal());
            case ServletAddress address -> text(out, ADDRESS, address.toString());
            case ServletUri uri -> text(out, URI, uri.toString());
            case ServletRequest request -> {
                return writeRequest(request, out);
            }
            case ServletResponse response -> {
                return writeResponse(response, out);
            }
            case Parameterable parameterable -> text(out, PARAMETERABLE, parameterable.toString());
            case B2buaHelper helper when helper == session.host().hooks().b2bua() ->
                    out.putVarint(BACK_TO_BACK);
            case ServletContext context when context == session.application().context() ->
                    out.putVarint(CONTEXT);
            default -> {
                return writeService(value, out);
            }
        }
        return true;
    }

    /** The id is left out of what is this session's own. */
    private void child(StateWriter out, int kind, String id, int ordinal) {
        out.putVarint(kind).putString(id.equals(session.getId()) ? null : id).putVarint(ordinal);
    }

    private static void text(StateWriter out, int kind, String text) {
        out.putVarint(kind).putString(text);
    }

    private boolean writeService(Object value, StateWriter out) {
        for (String name : SERVICES) {
            if (session.application().context().getAttribute(name) == value) {
                out.putVarint(SERVICE).putString(name);
                return true;
            }
        }
        return false;
    }

    private boolean writeRequest(ServletRequest request, StateWriter out) {
        ServletSession own = request.session();
        if (isKept(request, out)) {
            return true;
        }
        boolean received = OpenInvites.received(request);
        if (own != null
                && own.parent() == session
                && OpenInvites.goes(request)
                && OpenInvites.of(own, received) == request) {
            out.putVarint(OPEN).putVarint(own.ordinal()).putBoolean(received);
            return true;
        }
        byte[] bytes = own == null || own.parent() != session ? null : MessageBytes.of(request);
        if (own == null || bytes == null) {
            return false;
        }
        out.putVarint(REQUEST).putVarint(messages.size());
        messages.add(request);
        out.putVarint(own.ordinal()).putBoolean(request.isInitial());
        MessageBytes.writeHop(out, request.incoming() ? request.receivedFrom() : null);
        out.putBytes(bytes);
        MessageBytes.writeAttributes(request, out, Objects.requireNonNull(codec));
        return true;
    }

    private boolean writeResponse(ServletResponse response, StateWriter out) {
        if (isKept(response, out)) {
            return true;
        }
        byte[] bytes = response.session().parent() == session ? MessageBytes.of(response) : null;
        int mark = mark();
        byte[] request = bytes == null ? null : bytes(response.request());
        if (bytes == null || request == null) {
            back(mark);
            return false;
        }
        out.putVarint(RESPONSE).putBytes(request).putVarint(messages.size());
        messages.add(response);
        out.putVarint(response.session().ordinal()).putBoolean(response.incoming());
        out.putVarint(response.getStatus());
        MessageBytes.writeHop(out, response.source());
        out.putBytes(bytes);
        MessageBytes.writeAttributes(response, out, Objects.requireNonNull(codec));
        return true;
    }

    private boolean isKept(Object message, StateWriter out) {
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) == message) {
                out.putVarint(SAME).putVarint(i);
                return true;
            }
        }
        return false;
    }

    // ---- reading ----

    @Override
    public @Nullable Object read(byte[] bytes) {
        if (depth == MOST_DEPTH) {
            throw new StateFormatException("values in each other, deeper than " + MOST_DEPTH);
        }
        depth++;
        try {
            return read(new StateReader(bytes));
        } finally {
            depth--;
        }
    }

    private @Nullable Object read(StateReader in) {
        int kind = in.getCount(Integer.MAX_VALUE);
        try {
            return switch (kind) {
                case SESSION, APPLICATION_SESSION, TIMER -> child(in, kind);
                case ADDRESS -> AddressFactory.createAddress(in.needString());
                case URI -> AddressFactory.createURI(in.needString());
                case PARAMETERABLE -> AddressFactory.createParameterable(in.needString());
                case SERVICE -> session.application().context().getAttribute(in.needString());
                case BACK_TO_BACK -> session.host().hooks().b2bua();
                case CONTEXT -> session.application().context();
                case REQUEST -> readRequest(in);
                case RESPONSE -> readResponse(in);
                case OPEN -> open(in);
                case SAME -> message(in.getCount(MOST_MESSAGES));
                default -> null; // of a newer version
            };
        } catch (ServletParseException e) {
            throw new StateFormatException("an address or URI that was kept", e);
        }
    }

    private @Nullable Object child(StateReader in, int kind) {
        String id = in.getString();
        int ordinal = in.getCount(Integer.MAX_VALUE);
        if (id != null) {
            return new Elsewhere(session.host().tables(), kind, id, ordinal);
        }
        return switch (kind) {
            case SESSION -> session.session(ordinal);
            case TIMER -> session.timer(ordinal);
            default -> session;
        };
    }

    private @Nullable ServletRequest open(StateReader in) {
        ServletSession own = session.session(in.getCount(Integer.MAX_VALUE));
        boolean received = in.getBoolean();
        return own == null ? null : OpenInvites.of(own, received);
    }

    private @Nullable Object message(int at) {
        return at < messages.size() ? messages.get(at) : null;
    }

    private void keep(int at, Object message) {
        if (at > MOST_MESSAGES) {
            throw new StateFormatException("message " + at + " of a record");
        }
        while (messages.size() <= at) {
            messages.add(null);
        }
        messages.set(at, message);
    }

    private @Nullable ServletRequest readRequest(StateReader in) {
        int at = in.getCount(MOST_MESSAGES);
        ServletSession own = session.session(in.getCount(Integer.MAX_VALUE));
        boolean initial = in.getBoolean();
        ServletRequest read = own == null ? null : MessageBytes.request(own, initial, in);
        if (read != null) {
            keep(at, read);
            MessageBytes.readAttributes(read, in, Objects.requireNonNull(codec));
        }
        return read;
    }

    private @Nullable ServletResponse readResponse(StateReader in) {
        byte[] of = in.getBytes();
        Object request = of == null ? null : read(of);
        int at = in.getCount(MOST_MESSAGES);
        ServletSession own = session.session(in.getCount(Integer.MAX_VALUE));
        boolean incoming = in.getBoolean();
        int status = in.getCount(699);
        ServletResponse read =
                own == null || !(request instanceof ServletRequest answered)
                        ? null
                        : MessageBytes.response(answered, own, incoming, status, in);
        if (read != null) {
            keep(at, read);
            MessageBytes.readAttributes(read, in, Objects.requireNonNull(codec));
        }
        return read;
    }
}
