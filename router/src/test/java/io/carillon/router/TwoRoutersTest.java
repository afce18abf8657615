package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A phone with a flow by each of two routers (RFC 5626), of which one dies. */
class TwoRoutersTest {
    private SmallCluster cluster;
    private StreamPhone first;
    private StreamPhone second;

    @BeforeEach
    void start() throws Exception {
        cluster = new SmallCluster(StreamConfig.defaults(), 2);
        first = StreamPhone.connect(cluster.tcp(0));
        second = StreamPhone.connect(cluster.tcp(1));
    }

    @AfterEach
    void stop() throws Exception {
        first.close();
        second.close();
        cluster.close();
    }

    private Hop registers(StreamPhone phone, String id) throws Exception {
        phone.says(StreamPhone.request("REGISTER", "TCP", id, id));
        Hop flow = cluster.node.next().from();
        assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
        return flow;
    }

    private void calls(Hop flow) {
        cluster.node.send("OPTIONS", "sip:alice@192.0.2.50:5099", cluster.node.route(flow), null);
    }

    @Test
    void eachFlowGoesByItsOwnRouter() throws Exception {
        Hop one = registers(first, "r1");
        Hop two = registers(second, "r2");
        for (int i = 0; i < 3; i++) {
            calls(two);
            String byTwo = second.hears();
            second.says(StreamPhone.answer(200, byTwo));
            assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
            calls(one);
            first.says(StreamPhone.answer(200, first.hears()));
            assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    @Test
    void oneThatDiesLeavesTheOtherFlow() throws Exception {
        Hop one = registers(first, "r1");
        Hop two = registers(second, "r2");
        cluster.router().close();
        Awaitility.await()
                .until(() ->
                        cluster.node.link().peers().stream()
                                        .filter(each -> each.alive(System.nanoTime()))
                                        .count()
                                == 1);
        calls(one);
        // 430: who forwards tries the other flow of the same instance.
        assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isZero();
        assertThat(cluster.node.failures).containsExactly(Failure.FLOW_FAILED);
        calls(two);
        second.says(StreamPhone.answer(200, second.hears()));
        assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
    }

    @Test
    void whatWaitsOnADeadRoutersConnectionFailsWithIt() throws Exception {
        Hop one = registers(first, "r1");
        calls(one);
        assertThat(first.hears()).startsWith("OPTIONS ");
        cluster.router().close();
        assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isZero();
    }
}
