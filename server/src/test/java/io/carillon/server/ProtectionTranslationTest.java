package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.protection.Protections;
import io.carillon.server.config.ConfigurationReader;
import org.junit.jupiter.api.Test;

/** Who composes a server without a configuration has the limits that the reference page says. */
class ProtectionTranslationTest {
    @Test
    void theStandardIsWhatTheConfigurationSaysWhereNothingIsSet() {
        assertThat(Protections.standard())
                .usingRecursiveComparison()
                .isEqualTo(ProtectionTranslation.limits(ConfigurationReader.standard()));
    }
}
