package io.carillon.server.reload;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationValue;
import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.Origin;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.config.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files and folders that a configuration names. Stateless. */
public final class NamedFiles {
    /** Made by the server where they are missing. */
    private static final Set<String> MADE = Set.of("control.directory");

    private NamedFiles() {}

    /** A sentence for each that cannot be read, with the place that names it. */
    public static List<String> missing(ReadConfiguration read) {
        List<String> missing = new ArrayList<>();
        for (ConfigurationValue value : ConfigurationValues.of(read.configuration()).values()) {
            Path file = file(value.value());
            if (file == null || MADE.contains(value.name())) {
                continue;
            }
            Origin origin = read.origin(value.name());
            if (!Files.exists(file)) {
                missing.add(origin + ": " + value.name() + ": there is no file " + file);
            } else if (!Files.isReadable(file)) {
                missing.add(origin + ": " + value.name() + ": " + file + " cannot be read");
            }
        }
        return missing;
    }

    /** Those that are there and are no folders, each once. */
    public static List<Path> present(Configuration configuration) {
        return ConfigurationValues.of(configuration).values().stream()
                .map(value -> file(value.value()))
                .filter(file -> file != null && Files.isRegularFile(file))
                .distinct()
                .toList();
    }

    private static @Nullable Path file(@Nullable Object value) {
        return switch (value) {
            case Path path -> path;
            case Secret secret -> secret.file();
            case null, default -> null;
        };
    }
}
