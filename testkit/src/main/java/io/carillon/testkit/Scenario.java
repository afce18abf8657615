package io.carillon.testkit;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A text file that plays raw messages against a node and says what has to come back.
 *
 * <pre>
 * # RFC 3261 16.3 item 3: a request whose hops are used up
 * peer alice 10.0.1.1:5060
 *
 * alice -&gt; 10.0.9.1:5060
 *   OPTIONS sip:bob@10.0.2.1 SIP/2.0
 *   Via: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK1
 *   ...
 * alice &lt;- 483
 *   Via: *branch=z9hG4bK1*
 *   !Contact
 * alice silent 2s
 * </pre>
 *
 * Indented lines belong to the step above: the message, header lines of a {@code reply}, or
 * patterns ({@code *} = anything, {@code !Name} = absent). {@code NAME reply METHOD STATUS} answers
 * the last request of that method, {@code wait TIME} lets time pass, {@code NAME forget} drops what
 * is unread. In every line {@code ${NAME:Header}} stands for that header of the last message that
 * NAME took. Owner: the test's thread.
 */
public final class Scenario {
    private final String source;
    private final SimulatedNetwork network;
    private final Map<String, ScriptedPeer> peers = new HashMap<>();
    private final Map<String, Received> last = new HashMap<>();
    private final Map<String, Received> requests = new HashMap<>();

    private Scenario(String source, SimulatedNetwork network) {
        this.source = source;
        this.network = network;
    }

    /**
     * Plays a scenario to its end.
     *
     * @param source named in failures, with the line
     * @throws AssertionError when something else came than the text says
     */
    public static void play(String source, String text, SimulatedNetwork network) {
        Scenario scenario = new Scenario(source, network);
        List<String> lines = text.lines().toList();
        int i = 0;
        while (i < lines.size()) {
            int step = i;
            List<String> block = new ArrayList<>();
            for (i++; i < lines.size() && (belongs(lines.get(i)) || gap(lines, i)); i++) {
                block.add(lines.get(i).isBlank() ? "" : lines.get(i).strip());
            }
            String line = lines.get(step).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                scenario.step(step + 1, line, block);
            }
        }
    }

    private static boolean belongs(String line) {
        return line.startsWith("  ") && !line.isBlank();
    }

    /** An empty line between header and body of a message. */
    private static boolean gap(List<String> lines, int i) {
        return lines.get(i).isBlank() && i + 1 < lines.size() && belongs(lines.get(i + 1));
    }

    private void step(int number, String line, List<String> block) {
        try {
            String[] words = line.split(" +", -1);
            switch (words[0]) {
                case "peer" -> bind(words[1], words[2]);
                case "wait" -> network.time().runFor(duration(words[1]));
                default -> peerStep(words, block);
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    source + ":" + number + ": " + line + ": " + e.getMessage(), e);
        }
    }

    private void bind(String name, String at) {
        InetSocketAddress address = address(at);
        peers.put(
                name,
                ScriptedPeer.bind(
                        network, name, address.getAddress().getHostAddress(), address.getPort()));
    }

    private void peerStep(String[] words, List<String> block) {
        ScriptedPeer peer = peers.get(words[0]);
        if (peer == null || words.length < 2) {
            throw new IllegalArgumentException("no such step");
        }
        switch (words[1]) {
            case "->" -> peer.send(address(words[2]), filled(String.join("\n", block)));
            case "<-" -> {
                Received received =
                        peer.expect(
                                words[2],
                                words.length > 3 ? duration(words[3]) : Duration.ofSeconds(1));
                last.put(peer.name(), received);
                requests.put(peer.name() + " " + received.start(), received);
                check(received, block);
            }
            case "reply" -> {
                Received request = requests.get(peer.name() + " " + words[2]);
                if (request == null) {
                    throw new IllegalArgumentException("no " + words[2] + " came");
                }
                peer.reply(
                        request,
                        Integer.parseInt(words[3]),
                        block.stream().map(this::filled).toArray(String[]::new));
            }
            case "silent" -> peer.expectSilence(duration(words[2]));
            case "forget" -> peer.forget();
            default -> throw new IllegalArgumentException("no such step: " + words[1]);
        }
    }

    private void check(Received received, List<String> patterns) {
        for (String line : patterns) {
            if (line.startsWith("!")) {
                String found = received.header(line.substring(1));
                if (!found.isEmpty()) {
                    throw new AssertionError(line.substring(1) + " is there: " + found);
                }
            } else if (!line.isEmpty()) {
                int colon = line.indexOf(':');
                String value = received.header(line.substring(0, colon).strip());
                String pattern = filled(line.substring(colon + 1).strip());
                if (!matches(pattern, value)) {
                    throw new AssertionError(line + " does not match " + value);
                }
            }
        }
    }

    /** Compares with a pattern in which {@code *} stands for anything. */
    static boolean matches(String pattern, String value) {
        String[] parts = pattern.split("\\*", -1);
        if (parts.length == 1) {
            return value.equals(pattern);
        }
        int at = parts[0].length();
        if (!value.startsWith(parts[0])) {
            return false;
        }
        for (int i = 1; i < parts.length - 1; i++) {
            int found = value.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        String tail = parts[parts.length - 1];
        return value.length() - at >= tail.length() && value.endsWith(tail);
    }

    private String filled(String text) {
        String result = text;
        for (int open = result.indexOf("${"); open >= 0; open = result.indexOf("${")) {
            int close = result.indexOf('}', open);
            String[] names = result.substring(open + 2, close).split(":", -1);
            @Nullable Received message = last.get(names[0]);
            if (message == null) {
                throw new IllegalArgumentException(names[0] + " has taken no message");
            }
            result =
                    result.substring(0, open)
                            + message.header(names[1])
                            + result.substring(close + 1);
        }
        return result;
    }

    private static Duration duration(String text) {
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return SimulatedNetwork.address(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
