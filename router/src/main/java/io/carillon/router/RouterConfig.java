package io.carillon.router;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a router is told. Immutable.
 *
 * @param number of this router, 0 to 255, another one for each router of the cluster
 * @param listen where SIP is received, UDP; what stands behind {@code as} is what others call it
 * @param link the address at which nodes reach this router, with its port; 0 lets the system choose
 * @param nodes some nodes by their number and the address of their link; the table names the others
 * @param cluster the cluster's number
 * @param secrets the cluster's keys: ours, and the one before it while they change
 * @param http where {@code /metrics} and {@code /status} are answered; null: nowhere
 */
public record RouterConfig(
        int number,
        List<ListeningPoint> listen,
        InetSocketAddress link,
        Map<Integer, InetSocketAddress> nodes,
        int cluster,
        List<LinkSecret> secrets,
        @Nullable InetSocketAddress http) {
    private static final Set<String> KEYS =
            Set.of("number", "listen", "link", "nodes", "cluster", "key-file", "http");

    public RouterConfig {
        listen = List.copyOf(listen);
        nodes = Map.copyOf(nodes);
        secrets = List.copyOf(secrets);
        PeerId.router(number); // checks it
        if (listen.isEmpty()) {
            throw new IllegalArgumentException("listen: at least one udp:HOST:PORT is needed");
        }
        for (ListeningPoint point : listen) {
            if (point.transport() != Transport.UDP) {
                throw new IllegalArgumentException("listen: a router takes UDP, not " + point);
            }
        }
        if (link.getAddress() == null || link.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "link: an address of this machine that the nodes can reach, not " + link);
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("nodes: at least one NUMBER@HOST:PORT is needed");
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("key-file: the cluster's key is needed");
        }
    }

    /**
     * Reads a file of lines {@code KEY: VALUE}; {@code #} begins a comment.
     *
     * @throws IOException the file, or the key's, cannot be read
     * @throws IllegalArgumentException a value is not as it should be; the message names the key
     */
    public static RouterConfig read(Path file) throws IOException {
        Properties lines = new Properties();
        try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            lines.load(text);
        }
        for (String key : lines.stringPropertyNames()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(
                        key + ": there is no such key; there are " + KEYS);
            }
        }
        int cluster = number(lines, "cluster", 0);
        @Nullable String http = lines.getProperty("http");
        Path keyFile = Path.of(value(lines, "key-file"));
        Path folder = file.toAbsolutePath().getParent();
        return new RouterConfig(
                number(lines, "number", 0),
                words(value(lines, "listen")).stream().map(ListeningPoint::parse).toList(),
                address("link", value(lines, "link")),
                nodes(value(lines, "nodes")),
                cluster,
                secrets(folder == null ? keyFile : folder.resolve(keyFile)),
                http == null ? null : address("http", http.strip()));
    }

    /** The keys in a file, one a line in hexadecimal digits; {@code #} begins a comment. */
    private static List<LinkSecret> secrets(Path file) throws IOException {
        List<LinkSecret> secrets = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                secrets.add(LinkSecret.parse(line));
            }
        }
        return secrets;
    }

    private static String value(Properties lines, String key) {
        String value = lines.getProperty(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(key + ": is needed");
        }
        return unquoted(value.strip());
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static int number(Properties lines, String key, int otherwise) {
        @Nullable String value = lines.getProperty(key);
        try {
            return value == null ? otherwise : Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": a number, not " + value);
        }
    }

    private static List<String> words(String list) {
        List<String> words = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words;
    }

    private static Map<Integer, InetSocketAddress> nodes(String list) {
        Map<Integer, InetSocketAddress> nodes = new TreeMap<>();
        for (String word : words(list)) {
            int at = word.indexOf('@');
            try {
                int node = Integer.parseInt(word.substring(0, Math.max(0, at)));
                if (!PeerId.isNode(node)) {
                    throw new NumberFormatException("a node's number is 0 to 254");
                }
                nodes.put(node, address("nodes", word.substring(at + 1)));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("nodes: NUMBER@HOST:PORT, not " + word);
            }
        }
        return nodes;
    }

    private static InetSocketAddress address(String key, String text) {
        try {
            HostPort parsed = HostPort.parse(text);
            InetSocketAddress address = new InetSocketAddress(parsed.bareHost(), parsed.port());
            if (address.getAddress() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": HOST:PORT, not " + text);
        }
        throw new IllegalArgumentException(key + ": the host of " + text + " is not known");
    }
}
