package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The end that comes whatever hangs, and after everything that has a limit of its own. */
class StopDeadlineTest {
    @Test
    void itLeavesEveryLimitOfTheStopItsTime() {
        Configuration all = ConfigurationReader.standard();
        Duration limit = StopDeadline.limit(all);
        assertThat(limit)
                .isGreaterThan(
                        all.drain()
                                .calls()
                                .plus(all.drain().transactions().multipliedBy(2))
                                .plus(all.deploy().destroyWithin().multipliedBy(2)))
                .isLessThan(Duration.ofMinutes(2));
    }
}
