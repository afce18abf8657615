package io.carillon.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How commands reach the running server.
 *
 * @param directory of the socket
 */
public record ControlSettings(
        @Setting(
                        value =
                                "Folder of the Unix socket that ./carillon status and stop talk to; open to its owner"
                                        + " only.",
                        standardText = ".carillon/control in Carillon's folder")
                @Nullable Path directory) {}
