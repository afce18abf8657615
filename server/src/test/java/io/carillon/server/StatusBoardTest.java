package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.guard.LimitWatch;
import io.carillon.server.health.HealthSource;
import io.carillon.server.measure.ServerStatus;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StatusBoardTest {
    /** Its thread is the only one that tells of limits. */
    @Test
    void aLookThatFailsDoesNotEndTheLooking() {
        AtomicInteger looks = new AtomicInteger();
        SipSide side =
                (SipSide)
                        Proxy.newProxyInstance(
                                SipSide.class.getClassLoader(),
                                new Class<?>[] {SipSide.class},
                                (proxy, method, arguments) ->
                                        switch (method.getName()) {
                                            case "udpAddresses", "slowHandlers" -> List.of();
                                            case "counters" -> {
                                                if (looks.incrementAndGet() == 1) {
                                                    throw new IllegalStateException("the first");
                                                }
                                                yield new HashMap<String, Long>();
                                            }
                                            case "callsStarted" -> 0L;
                                            case "health" -> HealthSource.NONE;
                                            case "overload" -> ServerStatus.Overload.NONE;
                                            default -> throw new AssertionError(method);
                                        });
        StatusBoard board =
                new StatusBoard(
                        side, new LimitWatch(ProtectionLimits.of(ConfigurationReader.standard())));

        board.look(1);
        board.look(2);

        assertThat(looks).hasValue(2);
    }
}
