package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What connections hold of unfinished messages is in the division of the heap. */
class UnfinishedBoundTest {
    private static final long MIB = 1L << 20;

    @TempDir Path folder;

    private Configuration configuration(String yaml) throws ConfigurationException {
        return ConfigurationReader.read("test.yaml", yaml, folder);
    }

    @Test
    void aSmallHeapHoldsFewerUnfinishedMessages() throws Exception {
        Configuration usual = configuration("");
        assertThat(SipTranslation.protection(usual, 640 * MIB).unfinished()).isEqualTo(20 * MIB);
        assertThat(SipTranslation.protection(usual, 4_096 * MIB).unfinished()).isEqualTo(64 * MIB);
        Configuration few = configuration("guard: {unfinished-messages: 2 MiB}\n");
        assertThat(SipTranslation.protection(few, 640 * MIB).unfinished()).isEqualTo(2 * MIB);
    }

    @Test
    void twiceOfThemHasItsPlaceInTheHeap() throws Exception {
        Configuration usual = configuration("");
        Configuration few = configuration("guard: {unfinished-messages: 2 MiB}\n");
        long heap = 640 * MIB;
        assertThat(
                        SipTranslation.protection(usual, heap).bounds().demand().fixedBytes()
                                - SipTranslation.protection(few, heap)
                                        .bounds()
                                        .demand()
                                        .fixedBytes())
                .isEqualTo(2 * (20 - 2) * MIB);
        assertThat(SipTranslation.protection(usual, heap).bounds().warnings()).isEmpty();
        assertThat(SipTranslation.protection(usual, 256 * MIB).bounds().warnings()).isEmpty();
    }
}
