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
        assertThat(SipTranslation.unfinished(usual, 640 * MIB)).isEqualTo(20 * MIB);
        assertThat(SipTranslation.unfinished(usual, 4_096 * MIB)).isEqualTo(64 * MIB);
        Configuration few = configuration("guard: {unfinished-messages: 2 MiB}\n");
        assertThat(SipTranslation.unfinished(few, 640 * MIB)).isEqualTo(2 * MIB);
    }

    @Test
    void twiceOfThemHasItsPlaceInTheHeap() throws Exception {
        Configuration usual = configuration("");
        Configuration few = configuration("guard: {unfinished-messages: 2 MiB}\n");
        long heap = 640 * MIB;
        assertThat(
                        SipTranslation.bounds(usual, heap).demand().fixedBytes()
                                - SipTranslation.bounds(few, heap).demand().fixedBytes())
                .isEqualTo(2 * (20 - 2) * MIB);
        assertThat(SipTranslation.bounds(usual, heap).warnings()).isEmpty();
        assertThat(SipTranslation.bounds(usual, 256 * MIB).warnings()).isEmpty();
    }
}
