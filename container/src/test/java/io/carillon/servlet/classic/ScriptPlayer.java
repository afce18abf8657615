package io.carillon.servlet.classic;

import io.carillon.sip.hop.Transport;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plays a script over the network in memory. Its peers know no protocol: they send the script's
 * text, and what comes has to be what the script says next, message by message and in order. Only
 * 100 and repetitions byte by byte are passed over. Owner: the test's thread.
 */
final class ScriptPlayer {
    private static final String TWO_SECONDS = "2s";

    /** Longer than any transaction (64*T1 and Timer D), shorter than a session's expiry. */
    private static final Duration REST = Duration.ofSeconds(70);

    /** What one peer got. */
    private static final class Peer {
        final InetSocketAddress address;
        final ArrayDeque<WireText> unread = new ArrayDeque<>();
        final Set<String> seen = new HashSet<>();
        WireText taken = new WireText("", List.of(), "");

        Peer(InetSocketAddress address) {
            this.address = address;
        }

        String hostPort() {
            return address.getAddress().getHostAddress() + ":" + address.getPort();
        }
    }

    private final SimulatedNetwork network;
    private final InetSocketAddress server;
    private final Map<String, Peer> peers = new HashMap<>();
    private final Map<String, WireText> named = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private int branches;
    private boolean keeps;

    ScriptPlayer(SimulatedNetwork network, InetSocketAddress server) {
        this.network = network;
        this.server = server;
    }

    /** True when the script says that sessions are left at its end. */
    boolean keeps() {
        return keeps;
    }

    /**
     * @throws AssertionError with file, line and everything that was said so far
     */
    void play(CallScript script) {
        int line = 0;
        try {
            for (CallScript.Step step : script.steps()) {
                line = step.line();
                play(step);
            }
            network.time().runFor(REST);
            peers.forEach(this::assertRead);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    script.name() + ":" + line + ": " + e.getMessage() + story(), e);
        }
    }

    private String story() {
        return "\n\nWhat was said:\n" + String.join("\n", story);
    }

    private void play(CallScript.Step step) {
        switch (step.verb()) {
            case "peer" -> bind(step.words().get(1), step.words().get(2));
            case "define" -> variables.put(step.words().get(1), String.join("\n", step.text()));
            case ">>" -> send(step);
            case "<<" -> expect(step);
            case "silent" -> silent(step.words().get(1), span(step.words().get(2)));
            case "wait" -> network.time().runFor(span(step.words().get(1)));
            case "keeps" -> keeps = true;
            default -> throw new AssertionError("no step: " + step.words());
        }
    }

    private static Duration span(String text) {
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }

    private void bind(String name, String hostPort) {
        int colon = hostPort.lastIndexOf(':');
        InetSocketAddress address =
                SimulatedNetwork.address(
                        hostPort.substring(0, colon),
                        Integer.parseInt(hostPort.substring(colon + 1)));
        Peer peer = new Peer(address);
        peers.put(name, peer);
        network.bind(address, (bytes, by, from, to) -> arrived(name, peer, bytes));
    }

    private void arrived(String name, Peer peer, byte[] bytes) {
        if (!peer.seen.add(new String(bytes, StandardCharsets.ISO_8859_1))) {
            return;
        }
        WireText message = WireText.read(bytes);
        story.add("<< " + name + " at " + network.time().elapsed() + "\n" + message);
        if (!message.request() && !message.values("Via").getFirst().contains(peer.hostPort())) {
            throw new AssertionError(name + " got a response for somebody else");
        }
        if (!message.trying()) {
            peer.unread.add(message);
        }
    }

    private Peer peer(String name) {
        Peer peer = peers.get(name);
        if (peer == null) {
            throw new AssertionError("no peer " + name);
        }
        return peer;
    }

    // ---- what a peer sends ----

    private void send(CallScript.Step step) {
        String name = step.words().get(1);
        Peer peer = peer(name);
        List<String> text = new ArrayList<>();
        for (String line : step.text()) {
            if (line.contains("{via}")) {
                String via = "SIP/2.0/UDP " + peer.hostPort() + ";branch=z9hG4bKs" + ++branches;
                variables.put("via", via);
                variables.put(name + ".via", via);
            }
            String filled = TextPattern.fill(line, variables);
            text.addAll(copied(filled, peer));
        }
        String wire = wire(text);
        story.add(">> " + name + " at " + network.time().elapsed() + "\n  " + wire.strip());
        network.send(
                Transport.UDP, peer.address, server, wire.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** {@code [Via]} and {@code [name.Via]} stand for the lines of a message that was taken. */
    private List<String> copied(String line, Peer peer) {
        if (!line.startsWith("[")) {
            return List.of(line.split("\n", -1));
        }
        int close = line.indexOf(']');
        int dot = line.indexOf('.');
        boolean other = dot > 0 && dot < close;
        WireText from = other ? named.get(line.substring(1, dot)) : peer.taken;
        String header = line.substring(other ? dot + 1 : 1, close);
        if (from == null) {
            throw new AssertionError("no message was taken as " + line.substring(1, dot));
        }
        return from.values(header).stream()
                .map(value -> header + ": " + value + line.substring(close + 1))
                .toList();
    }

    private static String wire(List<String> text) {
        int empty = text.indexOf("");
        List<String> head = new ArrayList<>(empty < 0 ? text : text.subList(0, empty));
        StringBuilder body = new StringBuilder();
        if (empty >= 0) {
            text.subList(empty + 1, text.size()).forEach(line -> body.append(line).append("\r\n"));
        }
        head.add("Content-Length: " + body.length());
        return String.join("\r\n", head) + "\r\n\r\n" + body;
    }

    // ---- what a peer gets ----

    private void expect(CallScript.Step step) {
        String name = step.words().get(1);
        Peer peer = peer(name);
        boolean came =
                network.time()
                        .runUntil(
                                () -> !peer.unread.isEmpty(),
                                span(step.after("within", TWO_SECONDS)));
        if (!came) {
            throw new AssertionError("nothing came to " + name + ", wanted " + step.text());
        }
        WireText message = peer.unread.remove();
        peer.taken = message;
        named.put(step.after("as", name), message);
        int empty = step.text().indexOf("");
        int headers = empty < 0 ? step.text().size() : empty;
        match(step.text().getFirst(), message.start(), message);
        Map<String, Integer> used = new HashMap<>();
        for (String line : step.text().subList(1, headers)) {
            header(line, message, used);
        }
        if (empty >= 0) {
            List<String> wanted = step.text().subList(empty + 1, step.text().size());
            match(String.join("\n", wanted), message.body().replace("\r\n", "\n").strip(), message);
        }
    }

    private void match(String pattern, String text, WireText message) {
        if (!new TextPattern(pattern).matches(text, variables)) {
            throw new AssertionError("wanted '" + pattern + "' but got\n" + message);
        }
    }

    /** {@code !Name}: not there; {@code Name #2}: that often; {@code Name: pattern}: next one. */
    private void header(String line, WireText message, Map<String, Integer> used) {
        if (line.startsWith("!")) {
            if (!message.values(line.substring(1)).isEmpty()) {
                throw new AssertionError("unwanted " + line.substring(1) + " in\n" + message);
            }
            return;
        }
        int count = line.indexOf(" #");
        if (line.matches("[\\w-]+ #\\d+")) {
            int wanted = Integer.parseInt(line.substring(count + 2));
            if (message.values(line.substring(0, count)).size() != wanted) {
                throw new AssertionError("not " + wanted + " x " + line + " in\n" + message);
            }
            return;
        }
        String name = line.substring(0, line.indexOf(':'));
        TextPattern pattern = new TextPattern(line.substring(name.length() + 1).trim());
        List<String> values = message.values(name);
        for (int i = used.getOrDefault(name, 0); i < values.size(); i++) {
            if (pattern.matches(values.get(i), variables)) {
                used.put(name, i + 1);
                return;
            }
        }
        throw new AssertionError("no '" + line + "' with " + variables + " in\n" + message);
    }

    private void silent(String name, Duration span) {
        network.time().runFor(span);
        assertRead(name, peer(name));
    }

    private void assertRead(String name, Peer peer) {
        if (!peer.unread.isEmpty()) {
            throw new AssertionError(name + " got what nobody wanted:\n" + peer.unread.peek());
        }
    }
}
