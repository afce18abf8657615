package io.carillon.servlet.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionIdsTest {
    @Test
    void anIdIsThePrefixAndTheNumberToTheBaseOf36() {
        SessionIds ids = new SessionIds("a9-");
        for (long number : new long[] {0, 1, 9, 10, 35, 36, 37, 1295, 1296, Long.MAX_VALUE}) {
            assertThat(ids.with(number)).isEqualTo("a9-" + Long.toString(number, 36));
        }
    }
}
