package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An edge between 10.0.0.1:5060, where we are inside, and 203.0.113.1:5070, as the carrier sees us.
 */
final class Border implements Wire {
    static final byte[] KEY = "a key of more than sixteen bytes".getBytes(ISO_8859_1);
    static final Peer CARRIER = Peer.named("carrier").hiding();
    static final Hop OUT = hop("198.51.100.7", 5060);
    static final Hop IN = hop("10.0.0.9", 5060);

    /** All that no message to the carrier may hold. */
    static final List<String> SECRETS =
            List.of("10.0.0.", "10.9.9.", "192.168.", "fd00:", "node7", "core.example", "5071");

    final List<Counter> counted = new ArrayList<>();
    final EdgeConfig config;
    final Edge edge;

    Border(Peer peer) {
        this(peer, List.of(KEY));
    }

    Border(Peer peer, List<byte[]> keys) {
        PeerTable peers =
                PeerTable.builder()
                        .add(peer, List.of(AddressRange.parse("198.51.100.0/24")), List.of())
                        .build();
        config =
                new EdgeConfig(
                        peers,
                        keys,
                        new InternalHosts(
                                InternalHosts.UNREACHABLE, List.of("node7", "core.example")),
                        Compliance.DEFAULT);
        edge = config.open(this, MessageLimits.DEFAULT, counted::add);
    }

    static Hop hop(String host, int port) {
        return new Hop(
                Transport.UDP, null, new InetSocketAddress(InetAddress.ofLiteral(host), port), 0);
    }

    /** A request with the headers that it has to have; those in {@code more} come first. */
    static SipRequest request(String method, String uri, String... more) {
        StringBuilder text = new StringBuilder(method + " " + uri + " SIP/2.0\n");
        for (String line : more) {
            text.append(line).append('\n');
        }
        String given = text.toString();
        add(text, given, "Via: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKtop");
        add(text, given, "Max-Forwards: 70");
        add(text, given, "From: <sip:alice@example.com>;tag=a");
        add(text, given, "To: <sip:bob@example.com>");
        add(text, given, "Call-ID: call-1");
        add(text, given, "CSeq: 1 " + method);
        return (SipRequest) parse(text + "\n");
    }

    private static void add(StringBuilder text, String given, String line) {
        String name = line.substring(0, line.indexOf(':') + 1);
        if (!given.contains("\n" + name)) {
            text.append(line).append('\n');
        }
    }

    static SipMessage parse(String text) {
        byte[] bytes = text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(ISO_8859_1);
        return parse(bytes);
    }

    private static SipMessage parse(byte[] bytes) {
        ParseResult result =
                new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        throw new AssertionError(result + "\n" + new String(bytes, ISO_8859_1));
    }

    /** The answer of a peer to what arrived there. */
    static SipResponse answer(SipRequest request, int status, String... more) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + " Answer\n");
        for (int i = 0; i < request.headerCount(); i++) {
            HeaderName name = request.nameAt(i);
            if (name.equals(HeaderName.TO) && request.toTag() == null) {
                text.append("To: ").append(request.valueAt(i)).append(";tag=peer\n");
            } else if ((name.id() >= 0 && name.id() <= HeaderName.CSEQ.id())
                    || name.equals(HeaderName.RECORD_ROUTE)) {
                text.append(name).append(": ").append(request.valueAt(i)).append('\n');
            }
        }
        for (String line : more) {
            text.append(line).append('\n');
        }
        return (SipResponse) parse(text + "\n");
    }

    /** What arrives at the carrier; parsed again from its bytes, and searched for secrets. */
    SipMessage out(SipMessage message) {
        SipMessage leaving = edge.leaves(message, OUT, false);
        if (leaving == null) {
            throw new AssertionError("refused:\n" + message);
        }
        String text = new String(leaving.bytes(), 0, leaving.length(), ISO_8859_1);
        String secret = secretIn(text);
        if (secret != null) {
            throw new AssertionError(secret + " is in\n" + text);
        }
        return parse(text.getBytes(ISO_8859_1));
    }

    SipRequest out(SipRequest request) {
        return (SipRequest) out((SipMessage) request);
    }

    SipResponse out(SipResponse response) {
        return (SipResponse) out((SipMessage) response);
    }

    static @Nullable String secretIn(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (String secret : SECRETS) {
            if (lower.contains(secret)) {
                return secret;
            }
        }
        return null;
    }

    /** What the inside sees of a request of the carrier. */
    SipRequest in(SipRequest request) {
        SipRequest seen = edge.arrived(request, OUT);
        if (seen == null) {
            throw new AssertionError("refused: " + edge.refusal());
        }
        return (SipRequest) parse(seen.toString());
    }

    SipResponse in(SipResponse response, SipRequest sent) {
        return (SipResponse) parse(edge.arrived(response, sent, OUT).toString());
    }

    @Override
    public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        throw new UnsupportedOperationException();
    }

    @Override
    public HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        return remote.getAddress().getAddress()[0] == 10
                ? new HostPort("10.0.0.1", 5060)
                : new HostPort("203.0.113.1", 5070);
    }

    @Override
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isLocal(String host, int port) {
        return host.equals("10.0.0.1") || host.equals("203.0.113.1");
    }
}
