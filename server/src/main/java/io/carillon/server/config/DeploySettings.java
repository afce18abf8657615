package io.carillon.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deploying into the running server.
 *
 * @param folder watched for archives
 * @param retireLimit of old versions
 */
public record DeploySettings(
        @Setting(
                        value =
                                "A folder that is watched: archives in it are deployed, redeployed when they"
                                        + " changed, undeployed when they are gone.",
                        standardText = "none")
                @Nullable Path folder,
        @Setting(
                        value =
                                "How long calls of a replaced or undeployed version may go on; then they get BYE.",
                        standard = "24 h",
                        min = "0 s",
                        max = "8760 h")
                Duration retireLimit) {}
