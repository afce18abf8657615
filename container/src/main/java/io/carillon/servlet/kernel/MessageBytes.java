package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.ContainerValues;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.RequestAttempt;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages that an application keeps, by value: what they say, and the way they came. At another
 * node nothing more can be done with them than to look; what answers an INVITE that is still open
 * is a section of its own. Stateless; with the turn held.
 */
public final class MessageBytes {
    private static final int MAX_ATTRIBUTES = 10_000;

    /** Of a hop between two applications of ours. */
    private static final int INTERNAL = 1;

    /** Of one by a connection that ends at a router: it outlives the node. */
    private static final int BY_ROUTER = 2;

    private MessageBytes() {}

    /** The request as its application sees it; null for one of ours that has not left. */
    static byte @Nullable [] of(ServletRequest request) {
        UacTransaction client = request.uac();
        if (client != null) {
            RequestAttempt attempt = client.attempt();
            return attempt == null ? null : attempt.requestBytes();
        }
        return seen(request);
    }

    static byte[] of(ServletResponse response) {
        return seen(response);
    }

    private static byte[] seen(ServletMessage message) {
        return message.draftOrNull() == null
                ? message.below().keptBytes()
                : message.copyDraft().freeze().keptBytes();
    }

    // ---- the way it came ----

    /** Null for a message of ours, and for one that never came by the wire. */
    public static void writeHop(StateWriter out, @Nullable Hop hop) {
        out.putString(hop == null ? null : hop.transport().name());
        if (hop != null) {
            write(out, hop.local());
            write(out, hop.remote());
            out.putVarint(hop.internal() ? INTERNAL : hop.byRouter() ? BY_ROUTER : 0);
            if (hop.byRouter()) {
                out.putFixed(hop.connection());
            }
        }
    }

    private static void write(StateWriter out, @Nullable InetSocketAddress address) {
        InetAddress known = address == null ? null : address.getAddress();
        out.putBytes(known == null ? null : known.getAddress());
        out.putVarint(address == null ? 0 : address.getPort());
    }

    public static @Nullable Hop readHop(StateReader in) {
        String name = in.getString();
        if (name == null) {
            return null;
        }
        Transport transport = Transport.of(name);
        InetSocketAddress local = address(in);
        InetSocketAddress remote = address(in);
        if (transport == null || remote == null) {
            throw new StateFormatException("the way of a message: " + name);
        }
        int way = in.getCount(BY_ROUTER);
        Hop hop = new Hop(transport, local, remote, way == BY_ROUTER ? in.getFixed() : 0);
        return way == INTERNAL ? Hop.internal(hop, new Object()) : hop;
    }

    private static @Nullable InetSocketAddress address(StateReader in) {
        byte[] bytes = in.getBytes();
        int port = in.getCount(65_535);
        try {
            return bytes == null
                    ? null
                    : new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (java.net.UnknownHostException e) {
            throw new StateFormatException("an address of " + bytes.length + " bytes", e);
        }
    }

    // ---- what applications have set in it ----

    static void writeAttributes(ServletMessage message, StateWriter out, AttributeCodec codec) {
        MessageExtras rare = message.extrasOrNull();
        Set<String> names = rare == null ? Set.of() : rare.attributeNames();
        out.putVarint(names.size());
        for (String name : names) {
            out.putString(name);
            codec.write(out, message.getAttribute(name), name);
        }
    }

    /** The first records had none of them. */
    static void readAttributes(ServletMessage message, StateReader in, AttributeCodec codec) {
        for (int i = in.hasMore() ? in.getCount(MAX_ATTRIBUTES) : 0; i > 0; i--) {
            String name = in.needString();
            Object value = codec.read(in, name);
            if (value instanceof ContainerValues.Deferred later) {
                value = later.get();
            }
            if (value != null) {
                message.extras().attribute(name, value);
            }
        }
    }

    // ---- back ----

    /** Null where the bytes are no request that this version can read. */
    static @Nullable ServletRequest request(
            ServletSession session, boolean initial, StateReader in) {
        Hop source = readHop(in);
        if (!(parse(session, in) instanceof SipRequest received)) {
            return null;
        }
        SessionHost host = session.host();
        if (source == null) {
            ServletRequest ours =
                    ServletRequest.outgoing(session, MessageDraft.copyOf(received), initial);
            ours.commit();
            return ours;
        }
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, source, session.parent().home().wire());
        ServletRequest read =
                ServletRequest.incoming(host, received, null, source, routing, initial);
        read.bind(session);
        return read;
    }

    /** As {@link #request}. */
    static @Nullable ServletResponse response(
            ServletRequest request,
            ServletSession session,
            boolean incoming,
            int status,
            StateReader in) {
        Hop source = readHop(in);
        if (!(parse(session, in) instanceof SipResponse received)) {
            return null;
        }
        ServletResponse read =
                incoming
                        ? session.host().objects().response(request, session, received, source)
                        : ServletResponse.made(
                                request, session, MessageDraft.copyOf(received), status);
        read.commit();
        return read;
    }

    private static @Nullable SipMessage parse(ServletSession session, StateReader in) {
        byte[] bytes = in.getBytes();
        return bytes == null ? null : session.parent().home().parseOwn(bytes);
    }
}
