package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
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

    /**
     * A node has a minute for its leave; where nobody takes its calls they are drained after it.
     */
    @Test
    void aNodeOfAClusterHasTheTimeOfItsLeaveToo() throws ConfigurationException {
        Configuration node =
                ConfigurationReader.read(
                        "node.yaml",
                        "cluster: {name: east, nodes: ['192.0.2.1:7910', '192.0.2.2:7910'],"
                                + " listen: '192.0.2.2:7910', address: 'sip.example.com:5060',"
                                + " key-file: cluster.key}\nsip: {listen: []}\n",
                        null);
        assertThat(StopDeadline.limit(node))
                .isEqualTo(
                        StopDeadline.limit(ConfigurationReader.standard())
                                .plus(Duration.ofMinutes(1)));
    }
}
