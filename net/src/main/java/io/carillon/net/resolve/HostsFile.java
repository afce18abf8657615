package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of {@code /etc/hosts}, read again when the file changes. Reads a file: not for shard
 * threads.
 */
final class HostsFile {
    private static final Logger LOG = LoggerFactory.getLogger(HostsFile.class);
    private static final int MAX_NAMES = 100_000;
    private static final List<InetAddress> LOOPBACK =
            List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

    private final @Nullable Path file;
    private @Nullable FileTime read;
    private Map<String, List<InetAddress>> names = Map.of();

    HostsFile(@Nullable Path file) {
        this.file = file;
    }

    /** Addresses of a name, in lower case and without a dot at its end; null: ask the DNS. */
    synchronized @Nullable List<InetAddress> addresses(String name) {
        refresh();
        List<InetAddress> found = names.get(name);
        // RFC 6761 6.3: names under localhost never leave the machine.
        return found == null && (name.equals("localhost") || name.endsWith(".localhost"))
                ? LOOPBACK
                : found;
    }

    private void refresh() {
        if (file == null) {
            return;
        }
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (!changed.equals(read)) {
                names = parse(Files.readAllLines(file));
                read = changed;
            }
        } catch (IOException unreadable) {
            // Read again when it is there; until then what was known.
            LOG.debug("{} cannot be read", file, unreadable);
        }
    }

    static Map<String, List<InetAddress>> parse(List<String> lines) {
        Map<String, List<InetAddress>> names = new HashMap<>();
        for (String line : lines) {
            int comment = line.indexOf('#');
            String text = comment < 0 ? line : line.substring(0, comment);
            String[] words = text.strip().split("[ \t]+", -1);
            int zone = words[0].indexOf('%');
            InetAddress address =
                    HostLiteral.parse(zone < 0 ? words[0] : words[0].substring(0, zone));
            for (int i = 1; address != null && i < words.length; i++) {
                if (names.size() < MAX_NAMES) {
                    names.computeIfAbsent(words[i].toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                            .add(address);
                }
            }
        }
        return names;
    }
}
