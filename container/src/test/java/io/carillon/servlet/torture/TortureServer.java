package io.carillon.servlet.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A container with one of the examples, in a world where every name resolves and every address
 * answers: what the server sends is written down, requests get a final answer.
 */
final class TortureServer {
    static final InetSocketAddress SERVER = SimulatedNetwork.address("10.0.0.1", 5060);
    static final InetSocketAddress CLIENT = SimulatedNetwork.address("10.0.0.2", 5060);
    private static final InetSocketAddress WORLD = SimulatedNetwork.address("10.0.0.3", 5060);

    /** Longest thing in here: an application session that expires, in the examples after a day. */
    private static final Duration LONG = Duration.ofHours(25);

    /**
     * @param message null where an answer to a malformed request repeats its faults, as RFC 3261
     *     8.2.6.2 asks for
     */
    record Sent(InetSocketAddress to, byte[] bytes, @Nullable SipMessage message) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        String startLine() {
            String text = text();
            return text.substring(0, text.indexOf("\r\n"));
        }

        /** The status of a response, 0 for a request. */
        int status() {
            String line = startLine();
            return line.startsWith("SIP/2.0 ") ? Integer.parseInt(line.substring(8, 11)) : 0;
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    final Server server = new Server(network, "10.0.0.1", 1, 1, new RoundTripStore());
    private final MessageParser parser =
            new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);

    /** Everything the server sent, in order, repetitions included. */
    final List<Sent> sent = new ArrayList<>();

    /** What the world answers to requests; 0: nothing. BYE gets 200. */
    private final int answer;

    TortureServer(Path application, int answer) throws DeploymentException {
        this.answer = answer;
        server.container.deploy(application);
        server.node.streams(true);
        network.otherDomains(WORLD);
        network.elsewhere(this::arrived);
        network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(SERVER)) {
                written(to, bytes);
            }
        });
    }

    private void written(InetSocketAddress to, byte[] bytes) {
        InetAddress address = to.getAddress();
        assertThat(address.isMulticastAddress()).as("sent to %s", to).isFalse();
        assertThat(address.getHostAddress()).isNotEqualTo("255.255.255.255");
        sent.add(new Sent(to, bytes, parse(bytes)));
    }

    /** What we send has to be without fault. */
    private @Nullable SipMessage parse(byte[] bytes) {
        ParseResult result = parser.parseDatagram(bytes.clone(), bytes.length);
        if (result instanceof ParseResult.Parsed(SipMessage message)) {
            return message;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        assertThat(text).as(result.toString()).startsWith("SIP/2.0 400 ");
        return null;
    }

    private void arrived(
            byte[] bytes, Transport transport, InetSocketAddress from, InetSocketAddress to) {
        if (parse(bytes) instanceof SipRequest request && !request.is("ACK")) {
            int status = request.is("BYE") ? 200 : answer;
            if (status == 0) {
                return;
            }
            SipResponse response =
                    MessageDraft.responseTo(request, status, null, "world").freezeResponse();
            byte[] wire = Arrays.copyOf(response.bytes(), response.length());
            network.send(transport, to, from, wire);
        }
    }

    /** Sends a datagram from {@link #CLIENT}, and lets what follows happen for some seconds. */
    TortureServer receive(byte[] datagram) {
        network.send(Transport.UDP, CLIENT, SERVER, datagram.clone());
        server.run(Duration.ofSeconds(5));
        return this;
    }

    /** Sends a datagram from an address that nobody listens at, and goes on at once. */
    void receiveFrom(InetSocketAddress source, byte[] datagram) {
        network.send(Transport.UDP, source, SERVER, datagram);
        server.run(Duration.ofMillis(2));
    }

    /** The same from where requests go to. */
    TortureServer receiveFromWorld(byte[] datagram) {
        network.send(Transport.UDP, WORLD, SERVER, datagram.clone());
        server.run(Duration.ofSeconds(1));
        return this;
    }

    /** What became of it: a final status, or forwarded, or dropped. */
    String outcome() {
        if (!forwarded().isEmpty()) {
            return "forwarded";
        }
        return status() == 0 ? "dropped" : Integer.toString(status());
    }

    /** The requests that went on, each once. */
    List<Sent> forwarded() {
        List<Sent> all = new ArrayList<>();
        for (Sent one : sent) {
            if (one.message() instanceof SipRequest request
                    && !request.is("ACK")
                    && all.stream().noneMatch(s -> Arrays.equals(s.bytes(), one.bytes()))) {
                all.add(one);
            }
        }
        return all;
    }

    /** The final responses to the client, each once. */
    List<Sent> finals() {
        List<Sent> all = new ArrayList<>();
        for (Sent one : sent) {
            if (one.status() >= 200
                    && all.stream().noneMatch(s -> Arrays.equals(s.bytes(), one.bytes()))) {
                all.add(one);
            }
        }
        return all;
    }

    /** The final response's status; 0 without one. */
    int status() {
        List<Sent> finals = finals();
        assertThat(finals).as("final responses").hasSizeLessThanOrEqualTo(1);
        return finals.isEmpty() ? 0 : finals.getFirst().status();
    }

    SipResponse response() {
        return (SipResponse) Objects.requireNonNull(finals().getFirst().message());
    }

    long count(Counter counter) {
        long sum = 0;
        for (Shard shard : server.node.shards()) {
            sum += shard.counters().get(counter);
        }
        return sum;
    }

    /** Nothing failed, and after a while nothing is left. */
    void assertClean() {
        server.run(LONG);
        assertThat(count(Counter.USER_ERRORS)).as("errors of the container").isZero();
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }
}
