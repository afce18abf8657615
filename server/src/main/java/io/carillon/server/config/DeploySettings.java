package io.carillon.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deploying into the running server.
 *
 * @param folder watched for archives
 * @param retireLimit of old versions
 * @param initWithin of an application's beginning
 * @param destroyWithin of an application's end
 */
public record DeploySettings(
        @Setting(
                        value =
                                "A folder that is watched: archives in it are deployed, redeployed when they"
                                        + " changed, undeployed when they are gone.",
                        standardText = "none",
                        common = true)
                @Nullable Path folder,
        @Setting(
                        reload = true,
                        value =
                                "How long calls of a replaced or undeployed version may go on; then they get BYE.",
                        standard = "24 h",
                        min = "0 s",
                        max = "8760 h",
                        common = true)
                Duration retireLimit,
        @Setting(
                        reload = true,
                        value =
                                "How long an application may take to start; over it the deployment"
                                        + " fails, naming what the application was doing.",
                        more =
                                "The start is `init` of its servlets, its listeners, static"
                                        + " initializers and its HTTP part. Over this time, its"
                                        + " thread is interrupted too.",
                        standard = "1 min",
                        min = "1 s",
                        max = "1 h",
                        metrics = {
                            "applications.callbacks_too_long",
                            "applications.threads_left_behind"
                        })
                Duration initWithin,
        @Setting(
                        reload = true,
                        value =
                                "How long an application may take to end; over it the server"
                                        + " interrupts its thread and waits for it no more.",
                        more =
                                "The end is `destroy` of its servlets, its listeners and"
                                        + " `@PreDestroy`. When the server stops, all applications"
                                        + " together have this time, and each has at least a tenth"
                                        + " of it.",
                        standard = "10 s",
                        min = "100 ms",
                        max = "10 min",
                        metrics = {
                            "applications.callbacks_too_long",
                            "applications.threads_left_behind"
                        })
                Duration destroyWithin) {}
