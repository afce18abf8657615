package io.carillon.server.config;

import java.time.Duration;

/**
 * Threads of applications.
 *
 * @param rescueThreads cap of the platform threads
 * @param slowHandler from when the status names a handler
 */
public record ExecutionSettings(
        @Setting(
                        value =
                                "Platform threads that take over while busy handlers hold the carriers of virtual"
                                        + " threads.",
                        standard = "64",
                        min = "1",
                        max = "10000")
                int rescueThreads,
        @Setting(
                        value =
                                "The status names a handler that holds its thread longer than this.",
                        standard = "1 s",
                        min = "10 ms",
                        max = "1 h")
                Duration slowHandler) {}
