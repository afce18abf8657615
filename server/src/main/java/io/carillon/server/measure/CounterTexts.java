package io.carillon.server.measure;

import io.carillon.net.count.NetworkCounter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What each counter of the status counts, for who reads its metric. Stateless. */
final class CounterTexts {
    private static final String FILE = "counters.properties";
    private static final String NETWORK = "net.";

    private CounterTexts() {}

    /** A sentence without a full stop for each name, those of a cluster included. */
    static Map<String, String> all() {
        Map<String, String> all = new TreeMap<>();
        for (NetworkCounter counter : NetworkCounter.values()) {
            all.put(NETWORK + counter.text(), counter.description());
        }
        try (InputStream in = CounterTexts.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the server's archive has no " + FILE);
            }
            try (Reader lines = new InputStreamReader(in, StandardCharsets.UTF_8)) {
                Properties texts = new Properties();
                texts.load(lines);
                texts.forEach((name, text) -> all.put((String) name, (String) text));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
