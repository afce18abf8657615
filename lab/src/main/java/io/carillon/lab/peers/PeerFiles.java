package io.carillon.lab.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where peers are kept, and the templates of their configuration. */
final class PeerFiles {
    private PeerFiles() {}

    static Path folder(Path root) {
        return root.resolve(".carillon/peers");
    }

    /**
     * Writes the template {@code name} of this package's resources with its {@code @KEY@}s filled.
     */
    static void write(String name, Path target, Map<String, String> values) throws IOException {
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(target, filled(name, values));
    }

    static String filled(String name, Map<String, String> values) throws IOException {
        try (InputStream in = PeerFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no template " + name);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (Map.Entry<String, String> value : values.entrySet()) {
                text = text.replace("@" + value.getKey() + "@", value.getValue());
            }
            return text;
        }
    }
}
