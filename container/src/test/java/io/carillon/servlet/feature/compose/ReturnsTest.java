package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.kernel.SessionPath;
import io.carillon.sip.header.NameAddress;
import java.util.concurrent.atomic.LongAdder;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.junit.jupiter.api.Test;

class ReturnsTest {
    private final LongAdder forgotten = new LongAdder();
    private final RoutedBack returns = new RoutedBack(forgotten);

    private static NameAddress route(int number) throws Exception {
        return NameAddress.parse("<sip:10.0.0.1;lr;" + RoutedBack.PARAM + "=t" + number + ">");
    }

    @Test
    void beyondTheirNumberTheOldestAreForgottenAndCounted() throws Exception {
        SessionPath.Routing routing =
                new SessionPath.Routing(SipApplicationRoutingRegion.NEUTRAL_REGION, null, null);
        for (int i = 0; i < RoutedBack.CAP + 10; i++) {
            returns.await("t" + i, new RoutedBack.Awaited("app", routing, null, null, 1, 0, null));
        }
        assertThat(forgotten.sum()).isEqualTo(10);
        assertThat(returns.find(route(9))).isNull();
        assertThat(returns.find(route(10))).isNotNull();
        assertThat(returns.find(route(RoutedBack.CAP + 9))).isNotNull();
    }
}
