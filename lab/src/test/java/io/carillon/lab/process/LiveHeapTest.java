package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void whatACollectorFillsItsGapsWithIsNotAlive() throws IOException {
        String histogram =
                """
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:          1000          48000  [B (java.base@25)
                   2:             7          10000  jdk.internal.vm.FillerArray (java.base@25)
                   3:             2             32  java.lang.Object (java.base@25)
                Total          1009          58032
                """;
        assertThat(LiveHeap.bytes(histogram)).isEqualTo(48_032);
    }

    @Test
    void whatIsNoHistogramIsAFaultThatTellsWhatWasSaid() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> LiveHeap.bytes("4711: no such process\n"))
                .withMessageContaining("no such process");
    }
}
