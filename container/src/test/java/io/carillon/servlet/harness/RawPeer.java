package io.carillon.servlet.harness;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A peer that writes messages by hand and keeps what it gets; it repeats nothing and answers
 * nothing by itself.
 */
public final class RawPeer {
    private final SimulatedNetwork network;
    private final InetSocketAddress address;
    private final String host;
    private final MessageParser parser =
            new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
    private final ArrayDeque<SipMessage> inbox = new ArrayDeque<>();
    private final InetSocketAddress server;

    private final Set<String> seen = new HashSet<>();

    /** Everything that ever came; repetitions too, which are not read twice. */
    public final List<SipMessage> all = new ArrayList<>();

    /** Where the last message came from. */
    public @Nullable InetSocketAddress lastFrom;

    /** The last message as it came. */
    public byte @Nullable [] lastBytes;

    /** What the last message came by. */
    public @Nullable Transport lastTransport;

    private int branch;
    private int answer;
    private Transport transport = Transport.UDP;

    public RawPeer(SimulatedNetwork network, String host, int port) {
        this(network, host, port, SimulatedNetwork.address("10.0.0.1", 5060));
    }

    /** One that knows the server by another address. */
    public RawPeer(SimulatedNetwork network, String host, int port, InetSocketAddress server) {
        this.server = server;
        this.network = network;
        this.host = host;
        this.address = SimulatedNetwork.address(host, port);
        network.bind(
                address,
                (bytes, by, from, to) -> {
                    lastTransport = by;
                    receive(bytes, from);
                });
    }

    private void receive(byte[] bytes, InetSocketAddress from) {
        lastFrom = from;
        lastBytes = bytes;
        if (!(parser.parseDatagram(bytes, bytes.length) instanceof ParseResult.Parsed parsed)) {
            throw new AssertionError("unparseable: " + new String(bytes, StandardCharsets.UTF_8));
        }
        SipMessage message = parsed.message();
        all.add(message);
        if (seen.add(new String(bytes, StandardCharsets.UTF_8))) {
            inbox.add(message);
        }
        if (message instanceof SipResponse response
                && response.status() >= 300
                && response.cseq().method().equals("INVITE")) {
            acknowledgeFailure(response);
        }
        if (answer > 0 && message instanceof SipRequest request && !request.is("ACK")) {
            respond(request, answer, "");
        }
    }

    /** RFC 3261 17.1.1.3: what every client transaction does. */
    private void acknowledgeFailure(SipResponse response) {
        String branchOfInvite = Objects.requireNonNull(response.topVia().branch());
        send(
                text(
                        "ACK sip:server@10.0.0.1",
                        branchOfInvite,
                        response.from().toString(),
                        response.to().toString(),
                        response.callId(),
                        (int) response.cseq().number()));
    }

    /** What it sends from now on goes by that transport. */
    public RawPeer over(Transport other) {
        transport = other;
        return this;
    }

    public String hostPort() {
        return host + ":5060";
    }

    public void send(String text) {
        String wire = text.replace("\r\n", "\n").replace("\n", "\r\n");
        network.send(transport, address, server, wire.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes that are no UTF-8 where the text has chars of Latin-1. */
    public void sendLatin(String text) {
        String wire = text.replace("\r\n", "\n").replace("\n", "\r\n");
        network.send(transport, address, server, wire.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A request with a fresh branch. */
    public void request(
            String line, String from, String to, String callId, int cseq, String... headers) {
        send(text(line, "z9hG4bK" + host + branch++, from, to, callId, cseq, headers));
    }

    public String text(
            String line,
            String viaBranch,
            String from,
            String to,
            String callId,
            int cseq,
            String... headers) {
        String method = line.substring(0, line.indexOf(' '));
        StringBuilder text = new StringBuilder();
        text.append(line).append(" SIP/2.0\n");
        text.append("Via: SIP/2.0/")
                .append(transport)
                .append(' ')
                .append(hostPort())
                .append(";branch=")
                .append(viaBranch)
                .append('\n');
        text.append("Max-Forwards: 70\nFrom: ")
                .append(from)
                .append("\nTo: ")
                .append(to)
                .append('\n');
        text.append("Call-ID: ")
                .append(callId)
                .append("\nCSeq: ")
                .append(cseq)
                .append(' ')
                .append(method)
                .append('\n');
        for (String header : headers) {
            text.append(header).append('\n');
        }
        text.append("Content-Length: 0\n\n");
        return text.toString();
    }

    /**
     * A response to a request that came, with our tag, Contact (unless one is given) and
     * Record-Route as they belong.
     */
    public void respond(SipRequest request, int status, String tag, String... headers) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + " Test\n");
        for (int i = 0; i < request.headerCount(); i++) {
            String name = request.nameAt(i).text();
            switch (name) {
                case "Via", "From", "Call-ID", "CSeq", "Record-Route" ->
                        text.append(name).append(": ").append(request.valueAt(i)).append('\n');
                case "To" ->
                        text.append("To: ")
                                .append(request.valueAt(i))
                                .append(
                                        request.toTag() == null && !tag.isEmpty()
                                                ? ";tag=" + tag
                                                : "")
                                .append('\n');
                default -> {}
            }
        }
        if (status / 100 != 3
                && List.of(headers).stream().noneMatch(h -> h.startsWith("Contact"))) {
            text.append(transport.secure() ? "Contact: <sips:" : "Contact: <sip:")
                    .append(hostPort())
                    .append(">\n");
        }
        for (String header : headers) {
            text.append(header).append('\n');
        }
        text.append("Content-Length: 0\n\n");
        send(text.toString());
    }

    /** A redirect to these URIs, the first one preferred. */
    public void respond302(SipRequest request, String... uris) {
        String[] contacts = new String[uris.length];
        for (int i = 0; i < uris.length; i++) {
            contacts[i] = "Contact: <" + uris[i] + ">;q=0." + (9 - i);
        }
        respond(request, 302, "redirect", contacts);
    }

    /** The next response, after running virtual time as needed; 100s are skipped. */
    public SipResponse response(int status) {
        SipMessage message = next(m -> !(m instanceof SipResponse r && r.status() == 100));
        if (message instanceof SipResponse response && response.status() == status) {
            return response;
        }
        throw new AssertionError("wanted " + status + " but got\n" + message);
    }

    public SipRequest request(String method) {
        SipMessage message = next(m -> !(m instanceof SipResponse r && r.status() == 100));
        if (message instanceof SipRequest request && request.is(method)) {
            return request;
        }
        throw new AssertionError("wanted " + method + " but got\n" + message);
    }

    /** As {@link #request(String)}; it may take as long as that. */
    public SipRequest requestWithin(Duration within, String method) {
        SipMessage message = next(m -> !(m instanceof SipResponse r && r.status() == 100), within);
        if (message instanceof SipRequest request && request.is(method)) {
            return request;
        }
        throw new AssertionError("wanted " + method + " but got\n" + message);
    }

    /** Answers each request that comes from now on with that status; 0: none. */
    public void answerAll(int status) {
        answer = status;
    }

    /** The next message, whatever it is. */
    public SipMessage any() {
        return next(m -> true);
    }

    private SipMessage next(Predicate<SipMessage> wanted) {
        return next(wanted, Duration.ofSeconds(40));
    }

    private SipMessage next(Predicate<SipMessage> wanted, Duration within) {
        long end = network.time().nanoTime() + within.toNanos();
        for (; ; ) {
            SipMessage message = inbox.poll();
            if (message != null) {
                if (wanted.test(message)) {
                    return message;
                }
                continue;
            }
            if (network.time().nextNanos() > end) {
                throw new AssertionError("nothing came to " + host);
            }
            network.time().step();
        }
    }

    /** The Call-IDs of what was answered with that status. */
    public Set<String> callsWith(int status) {
        Set<String> calls = new HashSet<>();
        for (SipMessage message : all) {
            if (message instanceof SipResponse response && response.status() == status) {
                calls.add(response.callId());
            }
        }
        return calls;
    }

    /** How many responses of that status ever came. */
    public long responses(int status) {
        return all.stream().filter(m -> m instanceof SipResponse r && r.status() == status).count();
    }

    /** How many requests of that method ever came. */
    public long requests(String method) {
        return all.stream().filter(m -> m instanceof SipRequest r && r.is(method)).count();
    }

    /** What came and was not read. */
    public List<SipMessage> unread() {
        return List.copyOf(inbox);
    }

    public void forget() {
        inbox.clear();
    }
}
