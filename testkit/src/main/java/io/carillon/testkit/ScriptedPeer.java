package io.carillon.testkit;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A peer without a stack: it sends what the test writes and keeps what comes, so that a test can be
 * late, repeat itself, or be wrong on purpose. Owner: the test's thread.
 */
public final class ScriptedPeer {
    private final SimulatedNetwork network;
    private final String name;
    private final InetSocketAddress address;
    private final MessageParser parser =
            new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
    private final List<Received> all = new ArrayList<>();
    private final List<Received> unread = new ArrayList<>();
    private Transport transport = Transport.UDP;

    private ScriptedPeer(SimulatedNetwork network, String name, InetSocketAddress address) {
        this.network = network;
        this.name = name;
        this.address = address;
    }

    /**
     * @param host address literal
     */
    public static ScriptedPeer bind(SimulatedNetwork network, String name, String host, int port) {
        InetSocketAddress address = SimulatedNetwork.address(host, port);
        ScriptedPeer peer = new ScriptedPeer(network, name, address);
        network.bind(address, peer::receive);
        return peer;
    }

    /** The transport for what is sent from now on; UDP without it. */
    public ScriptedPeer transport(Transport value) {
        transport = value;
        return this;
    }

    public String name() {
        return name;
    }

    public InetSocketAddress address() {
        return address;
    }

    private void receive(byte[] bytes, Transport by, InetSocketAddress from, InetSocketAddress to) {
        switch (parser.parseDatagram(bytes, bytes.length)) {
            case ParseResult.Parsed parsed -> {
                Received received = new Received(network.time().nanoTime(), from, parsed.message());
                all.add(received);
                unread.add(received);
            }
            case ParseResult.Rejected rejected ->
                    throw new AssertionError(name + " got nonsense: " + rejected.reason());
            case ParseResult.Dropped dropped -> {
                // Keep-alives and the like.
            }
        }
    }

    /** Everything that came, in order. */
    public List<Received> all() {
        return all;
    }

    /** How many messages with this method or status came so far. */
    public int count(String start) {
        int count = 0;
        for (Received received : all) {
            count += received.start().equals(start) ? 1 : 0;
        }
        return count;
    }

    /**
     * Sends a text as it is, but for line ends, which become CRLF, and a Content-Length, which is
     * added where there is none.
     */
    public void send(InetSocketAddress to, String text) {
        String lines = text.replace("\r\n", "\n").stripTrailing();
        int end = lines.indexOf("\n\n");
        String head = end < 0 ? lines : lines.substring(0, end);
        String body = end < 0 ? "" : lines.substring(end + 2).replace("\n", "\r\n") + "\r\n";
        if (!head.contains("Content-Length:") && !head.contains("\nl:")) {
            head = head + "\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length;
        }
        String whole = head.replace("\n", "\r\n") + "\r\n\r\n" + body;
        network.send(transport, address, to, whole.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a message of the model. */
    public void send(InetSocketAddress to, MessageDraft draft) {
        io.carillon.sip.message.SipMessage message = draft.freeze();
        byte[] bytes = java.util.Arrays.copyOf(message.bytes(), message.length());
        network.send(transport, address, to, bytes);
    }

    /**
     * Answers a request: Via, From, To with the tag {@code tag-NAME}, Call-ID, CSeq and
     * Record-Route as RFC 3261 8.2.6 wants, back to where it came from.
     *
     * @param headers further header lines
     */
    public void reply(Received received, int status, String... headers) {
        replyAs(received, status, "tag-" + name, headers);
    }

    /** As {@link #reply}, with a To tag of one's own; null for none. */
    public void replyAs(Received received, int status, @Nullable String tag, String... headers) {
        SipRequest request = received.request();
        MessageDraft draft =
                MessageDraft.responseTo(request, status, null, status == 100 ? null : tag);
        for (String header : headers) {
            int colon = header.indexOf(':');
            draft.addLast(
                    HeaderName.of(header.substring(0, colon).trim()),
                    header.substring(colon + 1).trim());
        }
        send(received.from(), draft);
    }

    /**
     * Lets time pass until a message with this method or status comes, and takes it. Messages of
     * other kinds stay for later expectations.
     *
     * @throws AssertionError when none came within the span
     */
    public Received expect(String start, Duration within) {
        boolean came = network.time().runUntil(() -> find(start) != null, within);
        Received found = find(start);
        if (!came || found == null) {
            throw new AssertionError(
                    name + " expected " + start + " within " + within + ", unread: " + unread);
        }
        unread.remove(found);
        return found;
    }

    /** As {@link #expect(String, Duration)} within a second. */
    public Received expect(String start) {
        return expect(start, Duration.ofSeconds(1));
    }

    private @Nullable Received find(String start) {
        for (Received received : unread) {
            if (received.start().equals(start)) {
                return received;
            }
        }
        return null;
    }

    /** Forgets what was not taken, such as repetitions. */
    public void forget() {
        unread.clear();
    }

    /**
     * Lets time pass and fails when a message came, or an unread one is there; a 100 does not
     * count.
     */
    public void expectSilence(Duration span) {
        network.time().runFor(span);
        unread.removeIf(received -> received.start().equals("100"));
        if (!unread.isEmpty()) {
            throw new AssertionError(name + " expected silence, got " + unread);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
