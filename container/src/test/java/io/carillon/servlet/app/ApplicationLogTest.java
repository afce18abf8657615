package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class ApplicationLogTest {
    private final List<String> written = new ArrayList<>();
    private long now = -100;
    private final ApplicationLog log = new ApplicationLog(recording(), () -> now);

    private Logger recording() {
        return (Logger)
                Proxy.newProxyInstance(
                        Logger.class.getClassLoader(),
                        new Class<?>[] {Logger.class},
                        (proxy, method, arguments) -> {
                            Object more = arguments.length > 1 ? arguments[1] : null;
                            written.add(
                                    MessageFormatter.format((String) arguments[0], more)
                                            .getMessage());
                            return null;
                        });
    }

    @Test
    void linesOverTheLimitAreLeftOutAndTold() {
        LongAdder leftOut = new LongAdder();
        log.limit(3, leftOut);
        for (int i = 0; i < 10; i++) {
            log.info("line " + i);
        }
        assertThat(written).containsExactly("line 0", "line 1", "line 2");
        assertThat(leftOut.sum()).isEqualTo(7);
        now += 1_000_000_000L;
        log.warn("later", new IllegalStateException());
        assertThat(written)
                .endsWith("7 lines of this application were left out", "later")
                .hasSize(5);
    }

    @Test
    void withoutALimitAllIsWritten() {
        log.limit(0, new LongAdder());
        for (int i = 0; i < 5_000; i++) {
            log.info("x");
        }
        assertThat(written).hasSize(5_000);
    }

    @Test
    void whatAnApplicationTookFromTheWireStaysOnItsLine() {
        log.info("caller \"\r\nforged");
        log.info(null);
        assertThat(written).containsExactly("caller \"\\r\\nforged", "null");
    }
}
