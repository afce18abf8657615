package io.carillon.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CallCostTest {
    private static int run(String... arguments) {
        return new CommandLine(new CallCost()).execute(arguments);
    }

    @Test
    void callsWithColdCachesGoThroughTheServer() {
        assertThat(run("--application", "b2bua", "--batches", "3", "--cold", "64")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--cold,-1", "--cold,131073", "--cold,2097152", "--batches,2", "--application,uas"})
    void whatCannotBeIsRefused(String option, String value) {
        assertThat(run(option, value)).isEqualTo(2);
    }
}
